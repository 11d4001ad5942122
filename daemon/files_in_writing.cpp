#include "daemon/files_in_writing.h"

#include <chrono>
#include <filesystem>

#include "vault/layout/scan.h"

namespace loci {

using std::chrono::milliseconds;

bool FilesInWriting::has(const std::string& file, SteadyTime now) const {
  const QuietRules rules;
  if (const auto known = since_.find(file); known != since_.end() && now - known->second >= rules.vanished)
    return false;  // however it looks: it has been waited for
  const auto state = examine(vault_, file);
  if (!state || !*state || (*state)->size == 0) return true;
  const auto written = Instant(std::chrono::duration_cast<milliseconds>(std::chrono::nanoseconds((*state)->mtime_ns)));
  const auto age = vault_.clock().now() - written;
  return age >= milliseconds(0) && age < rules.quiet;
}

void FilesInWriting::keep(const std::set<std::string>& found, SteadyTime now) {
  std::map<std::string, SteadyTime> since;
  for (const std::string& file : found) {
    const auto known = since_.find(file);
    since[file] = known != since_.end() ? known->second : now;
  }
  since_ = std::move(since);
}

Glance GlanceAtFile::operator()(const std::string& file) {
  Glance glance;
  if (file == vault_config_name) {  // no index tells what the settings held: empty ones are waited for in any case
    std::error_code error;
    const auto size = std::filesystem::file_size(vault_.root() / vault_config_name, error);
    return {.held_text = true, .holds_text = !error && size > 0};
  }
  const auto state = examine(vault_, file);
  glance.holds_text = state && *state && (*state)->size > 0;
  if (glance.holds_text) return glance;
  if (!reader_)
    if (auto opened = IndexReader::open(vault_.state_folder())) reader_.emplace(std::move(*opened));
  if (!reader_) return glance;
  glance.held_text = reader_->size_of_file(file) > 0;
  return glance;
}

}  // namespace loci
