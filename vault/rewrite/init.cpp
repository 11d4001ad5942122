#include "vault/rewrite/init.h"

#include "vault/layout/host.h"
#include "vault/rewrite/replace.h"

namespace loci {
namespace {

std::string filled_in(std::string_view bytes, const std::string& host) {
  constexpr std::string_view placeholder = "{{host}}";
  std::string out(bytes);
  for (size_t at = out.find(placeholder); at != std::string::npos; at = out.find(placeholder, at + host.size()))
    out.replace(at, placeholder.size(), host);
  return out;
}

bool is_there(const path& file) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(file, ignored));
}

// True if it was made.
Result<bool> lay_down(const Vault& vault, const TemplateFile& file) {
  if (is_there(vault.file(file.name))) return false;
  if (auto made = create_file(vault, std::string(file.name), filled_in(file.bytes, vault.host())); !made) {
    // Somebody else made it in between.
    if (made.error().code == ErrorCode::refused && is_there(vault.file(file.name))) return false;
    return std::unexpected(made.error());
  }
  return true;
}

}  // namespace

Result<InitResult> init_vault(const path& root, const Environment& environment, FileSystem& files, const Clock& clock,
                              const std::set<std::string>& asked_about) {
  const path folder = std::filesystem::absolute(environment.working_folder / root).lexically_normal();
  TRY(make_folders(files, folder));
  const auto vault = TRY(Vault::open(folder, environment, files, clock));
  TRY(join_vault(vault));
  // Where a person looks first for what was said today, even before anything was.
  TRY(make_folders(files, vault.file("archive")));

  InitResult result;
  for (const TemplateFile& file : vault_template()) {
    if (asked_about.contains(std::string(file.name))) continue;
    const auto made = TRY(lay_down(vault, file));
    (made ? result.made : result.existed).emplace_back(file.name);
  }
  return result;
}

}  // namespace loci
