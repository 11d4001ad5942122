#include "capture/session_entries.h"

#include <algorithm>
#include <iterator>

#include "vault/archive/archive_file.h"
#include "vault/layout/inside.h"

namespace loci {
namespace {

constexpr std::string_view sessions_folder = "archive/sessions";
constexpr size_t date_length = std::string_view("2026-11-21").size();

// "2026-11-21-a1b2.md", "….k3f9.md", "….2.md": a session in a name has no dot, so what follows one is a host or a number. There may
// be ten thousand names: the session tells most of them apart, and is looked at first.
bool is_of_session(std::string_view name, std::string_view session) {
  if (name.size() <= date_length || !name.substr(date_length + 1).starts_with(session) || !name.ends_with(".md")) return false;
  return name[date_length] == '-' && name[date_length + 1 + session.size()] == '.' &&
         parse_time(name.substr(0, date_length)).has_value();
}

}  // namespace

std::vector<std::string> files_of_session(const Vault& vault, const std::string& session) {
  const std::string in_name = session_in_name(session);
  std::vector<std::string> files;
  std::error_code ignored;  // no folder yet: no file
  for (const auto& item : std::filesystem::directory_iterator(vault.file(sessions_folder), ignored)) {
    std::string_view name = item.path().native();
    name.remove_prefix(name.rfind('/') + 1);
    if (is_of_session(name, in_name)) files.push_back((std::string(sessions_folder) + '/').append(name));
  }
  std::ranges::sort(files);
  return files;
}

Result<std::vector<ParsedEntry>> entries_of_session(const Vault& vault, const std::string& session) {
  std::vector<ParsedEntry> entries;
  for (const std::string& file : files_of_session(vault, session)) {
    const auto name = TRY(resolve_inside(vault, file));
    const auto bytes = read_file_if_any(vault.files(), name);  // none: removed a moment ago
    if (!bytes) return std::unexpected(bytes.error());
    for (ParsedEntry& entry : parse(bytes->value_or("")).entries)
      if (entry.metadata && entry.metadata->session == session) entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace loci
