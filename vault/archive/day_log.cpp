#include "vault/archive/day_log.h"

#include <algorithm>

#include "vault/logs/json_lines.h"

namespace loci {
namespace {

// An entry of 1 MiB whose every byte needs six in JSON, with room to spare.
constexpr JsonLimits line_limits{.bytes = size_t{32} << 20, .depth = 4};

std::vector<path> files_of(const Vault& vault, const std::string& folder) {
  std::vector<path> files;
  std::error_code ignored;  // no folder yet: nothing was written
  for (const auto& item : std::filesystem::directory_iterator(vault.state_folder() / folder, ignored))
    if (item.path().extension() == ".jsonl") files.push_back(item.path());
  std::ranges::sort(files);
  return files;
}

// A day's file may go once its last moment is older than what is kept.
Status prune(const Vault& vault, const std::string& folder) {
  const Instant oldest = vault.clock().now() - day_log_keeps;
  for (const path& file : files_of(vault, folder)) {
    const auto day_end = parse_time_end(file.stem().string());
    if (!day_end || *day_end > oldest) continue;
    TRY(vault.files().remove(file));
  }
  return {};
}

}  // namespace

Result<bool> append_to_day_log(const Vault& vault, const std::string& folder, const Json& line) {
  const path file = vault.state_folder() / folder / (utc_date(vault.clock().now()) + ".jsonl");
  const auto is_new = TRY(append_json_line(vault.files(), file, line));
  if (is_new) TRY(prune(vault, folder));
  return is_new;
}

Status visit_day_log(const Vault& vault, const std::string& folder, const std::function<void(const Json& line)>& visit) {
  for (const path& file : files_of(vault, folder)) {
    const auto bytes = TRY(read_file_if_any(vault.files(), file));
    if (!bytes) continue;
    visit_json_lines(*bytes, line_limits, [&](int, const Json* line) {
      if (line) visit(*line);
    });
  }
  return {};
}

}  // namespace loci
