#include "memory/purge_state.h"

#include <algorithm>
#include <functional>
#include <thread>

#include "base/json.h"
#include "memory/removed_entries.h"
#include "memory/still_says.h"
#include "parser/text_hash.h"
#include "vault/displaced.h"

namespace loci {
namespace {

using std::filesystem::recursive_directory_iterator;

constexpr size_t shortest_needle = 4;  // bytes; a shorter line stands everywhere
constexpr size_t most_matches = 20;
constexpr JsonLimits line_limits{.bytes = size_t{32} << 20, .depth = 64};

// The lines of the texts, without white space around them.
std::vector<std::string> needles_of(const std::vector<Entry>& entries) {
  std::vector<std::string> needles;
  for (const Entry& entry : entries) {
    std::string_view rest = entry.text;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
      if (line.size() >= shortest_needle) needles.emplace_back(line);
    }
  }
  return needles;
}

bool holds_any(std::string_view text, const std::vector<std::string>& needles) {
  return std::ranges::any_of(needles, [&](const std::string& needle) { return text.find(needle) != std::string_view::npos; });
}

// Rewrites JSON lines one by one; `change` gives the new line, or nothing to drop it.
std::string change_lines(std::string_view bytes, const std::function<std::optional<std::string>(std::string_view)>& change) {
  std::string out;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    if (auto line = change(bytes.substr(0, end))) out += *line + "\n";
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// A journal line with the text taken out of the bytes that it would append again; dropped if it cannot be read.
std::optional<std::string> purge_journal_line(std::string_view line, const PurgeTarget& target) {
  auto json = parse_json(line, line_limits);
  const Json* bytes = json ? json->find("bytes") : nullptr;
  if (!bytes || !bytes->as_string()) return std::nullopt;
  std::string purged = purge_markdown(*bytes->as_string(), target);
  if (purged == *bytes->as_string()) return std::string(line);
  json->set("bytes", std::move(purged));
  return to_string(*json);
}

bool returned_any(const Json& line, const std::vector<Entry>& entries) {
  const Json* ids = line.find("ids");
  if (!ids || !ids->as_array()) return false;
  return std::ranges::any_of(*ids->as_array(), [&](const Json& id) {
    return id.as_string() && std::ranges::find(entries, *id.as_string(), &Entry::id) != entries.end();
  });
}

// A query that found the secret, or has half of its words, may hold what is secret in it.
std::optional<std::string> purge_retrieval_line(std::string_view line, const std::vector<Entry>& entries,
                                                const std::vector<std::string>& needles) {
  constexpr double half = 0.5;
  const auto json = parse_json(line, line_limits);
  const Json* query = json ? json->find("query") : nullptr;
  if (!query || !query->as_string() || returned_any(*json, entries) || holds_any(line, needles)) return std::nullopt;
  const bool asks_for_it =
      std::ranges::any_of(entries, [&](const Entry& entry) { return shared_words(entry.text, *query->as_string()) >= half; });
  if (asks_for_it || holds_any(*query->as_string(), needles)) return std::nullopt;
  return std::string(line);
}

class StateFolder {
 public:
  StateFolder(const Vault& vault, Purged& purged) : vault_(vault), purged_(purged) {}

  void change(const path& folder, const std::function<std::string(std::string_view)>& purge) {
    std::error_code error;
    for (const auto& item : std::filesystem::directory_iterator(folder, error))
      if (item.is_regular_file(error)) change_one(item.path(), purge);
  }

  // What was displaced by the very writes that took a text out still has it, or shows it under its id, as MEMORY.md does.
  void remove_displaced(const path& folder, const std::vector<std::string>& needles, const PurgeTarget& target) {
    const std::vector<std::string> ids(target.ids.begin(), target.ids.end());
    std::error_code error;
    for (const auto& item : std::filesystem::directory_iterator(folder, error)) {
      if (!item.is_regular_file(error) || !is_displaced_name(item.path().filename().string())) continue;
      const auto bytes = read_file(vault_.files(), item.path());
      if (!bytes) failed(item.path(), bytes.error());
      if (!bytes || !(holds_any(*bytes, needles) || holds_any(*bytes, ids))) continue;
      if (auto removed = vault_.files().remove(item.path()); !removed)
        failed(item.path(), removed.error());
      else
        purged_.state_files.push_back(item.path().string());
    }
  }

  void remove(const path& folder) {
    std::error_code error;
    auto removed = std::filesystem::remove_all(folder, error);
    // A daemon may be putting something into it at this moment.
    for (int again = 0; error && again < 5; ++again) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      removed = std::filesystem::remove_all(folder, error);
    }
    if (error) return failed(folder, fail_errno("remove", folder.string(), error.value()).error());
    if (removed > 0) purged_.state_files.push_back(folder.string());
  }

 private:
  void change_one(const path& file, const std::function<std::string(std::string_view)>& purge) {
    const auto before = read_file(vault_.files(), file);
    if (!before) return failed(file, before.error());
    const std::string after = purge(*before);
    if (after == *before) return;
    if (auto written = write_file(vault_.files(), file, after); !written) return failed(file, written.error());
    purged_.state_files.push_back(file.string());
  }

  void failed(const path& file, const Error& error) {
    purged_.notes.push_back(file.string() + " could not be purged: " + error.message);
    purged_.complete = false;
  }

  const Vault& vault_;
  Purged& purged_;
};

void find_needles(const Vault& vault, const path& file, const std::string& name, const std::vector<std::string>& needles,
                  std::vector<std::string>& found) {
  const auto bytes = read_file(vault.files(), file);
  if (!bytes) return;
  for (const std::string& needle : needles) {
    const size_t at = bytes->find(needle);
    if (at == std::string::npos) continue;
    found.push_back(name + ":" + std::to_string(1 + std::ranges::count(std::string_view(*bytes).substr(0, at), '\n')));
    return;
  }
}

}  // namespace

std::string purge_log_lines(std::string_view bytes, const std::vector<Entry>& entries, bool ledger) {
  return change_lines(bytes, [&](std::string_view line) -> std::optional<std::string> {
    std::string text(line);
    for (const Entry& entry : entries) {
      if (entry.hash.empty()) continue;  // of one that was purged before
      if (text.find("\"" + id_from_hash(entry.hash) + "\"") != std::string::npos) return std::nullopt;
      // A ledger line has to have a hash; a tombstone without one counts whatever the text.
      replace_all(text, entry.hash, ledger ? std::string(entry.hash.size(), '0') : std::string());
    }
    return text;
  });
}

std::string purge_removed_entries(std::string_view bytes, const PurgeTarget& target) {
  return change_lines(bytes, [&](std::string_view line) -> std::optional<std::string> {
    if (line.empty()) return std::string();
    const auto removed = parse_removed_entry(line);
    if (!removed || target.ids.contains(removed->id)) return std::nullopt;
    if (purge_markdown(removed->markdown, target) != removed->markdown) return std::nullopt;
    return std::string(line);
  });
}

void purge_state_folder(const Vault& vault, const std::vector<Entry>& entries, const PurgeTarget& target, Purged& purged) {
  const auto needles = needles_of(entries);
  StateFolder state(vault, purged);
  state.change(vault.state_folder() / "journal", [&](std::string_view bytes) {
    return change_lines(bytes, [&](std::string_view line) { return purge_journal_line(line, target); });
  });
  state.change(vault.state_folder() / "retrieval", [&](std::string_view bytes) {
    return change_lines(bytes, [&](std::string_view line) { return purge_retrieval_line(line, entries, needles); });
  });
  state.change(vault.temporary_folder(), [&](std::string_view bytes) { return purge_markdown(bytes, target); });
  state.remove_displaced(vault.temporary_folder(), needles, target);
  // Copies and hashes of files as they were last seen: they are only there to tell what a person changes next, and are made anew.
  state.remove(vault.state_folder() / "edits");
}

std::vector<std::string> files_that_still_hold(const Vault& vault, const std::vector<Entry>& entries) {
  const auto needles = needles_of(entries);
  std::vector<std::string> found;
  for (const path& root : {vault.root(), vault.state_folder()}) {
    std::error_code error;
    recursive_directory_iterator walk(root, std::filesystem::directory_options::skip_permission_denied, error);
    for (; !error && walk != recursive_directory_iterator(); walk.increment(error)) {
      if (walk->path().filename() == ".git") walk.disable_recursion_pending();
      if (!walk->is_regular_file(error) || found.size() == most_matches) continue;
      const bool inside = root == vault.root();
      find_needles(vault, walk->path(), inside ? walk->path().lexically_relative(root).string() : walk->path().string(), needles,
                   found);
    }
  }
  return found;
}

}  // namespace loci
