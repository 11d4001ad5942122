#include "vault/rewrite/conflict_file.h"

#include <algorithm>

#include "base/id.h"
#include "vault/layout/inside.h"
#include "vault/rewrite/temporary_file.h"
#include "vault/rewrite/write_names.h"

namespace loci {
namespace {

constexpr size_t longest_name = 255;
constexpr int most_names = 1000;  // of one second

// "20261121T201443Z"
std::string compact_time(Instant at) {
  std::string text = format_rfc3339(at).substr(0, std::string_view("2026-11-21T20:14:43").size());
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text + 'Z';
}

bool is_inside_a_character(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

Status sync_file(FileSystem& files, const path& file) {
  const auto fd = files.open(file, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
  return fd ? files.sync(*fd, file) : std::unexpected(fd.error());
}

}  // namespace

std::string conflict_name(std::string_view file_name, Instant at, int number) {
  const std::string suffix =
      ".loci-conflict-" + compact_time(at) + (number > 1 ? '-' + std::to_string(number) : std::string()) + ".md";
  for (const std::string_view extension : {".md", ".markdown"})
    if (file_name.ends_with(extension)) {
      file_name.remove_suffix(extension.size());
      break;
    }
  size_t length = std::min(file_name.size(), longest_name - suffix.size());
  while (length > 0 && is_inside_a_character(file_name, length)) --length;
  return std::string(file_name.substr(0, length)) + suffix;
}

Result<std::string> make_conflict_file(const Vault& vault, const path& from, const std::string& target) {
  FileSystem& files = vault.files();
  const auto file = TRY(resolve_inside(vault, target));
  TRY(make_folders(files, file.parent_path()));
  TRY(sync_file(files, from));
  for (int number = 1;; ++number) {
    const path name = file.parent_path() / conflict_name(file.filename().native(), vault.clock().now(), number);
    auto renamed = files.rename_new(from, name);
    if (!renamed && renamed.error().code == ErrorCode::refused && number < most_names) continue;  // there is one of this name
    if (!renamed) return std::unexpected(renamed.error());
    TRY(sync_folder(files, file.parent_path()));
    return name.lexically_relative(vault.root()).string();
  }
}

Result<std::string> write_conflict_file(const Vault& vault, std::string_view bytes, const std::string& target) {
  auto temporary =
      TemporaryFile::write(vault, new_file_name(path(target).filename().native(), make_id(vault.clock().now())), bytes, 0600);
  if (!temporary) return std::unexpected(temporary.error());
  auto name = make_conflict_file(vault, temporary->name(), target);
  if (name) temporary->let_go();
  return name;
}

}  // namespace loci
