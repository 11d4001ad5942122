#include "memory/purge_state.h"

#include <algorithm>
#include <functional>
#include <thread>

#include "base/json.h"
#include "memory/purge_kept.h"
#include "memory/purged_words.h"
#include "memory/removed_entries.h"
#include "parser/text_hash.h"
#include "vault/rewrite/displaced.h"

namespace loci {
namespace {

using std::filesystem::recursive_directory_iterator;

constexpr size_t most_matches = 20;
constexpr JsonLimits line_limits{.bytes = size_t{32} << 20, .depth = 64};

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
                                                const PurgedWords& words) {
  const auto json = parse_json(line, line_limits);
  const Json* query = json ? json->find("query") : nullptr;
  if (!query || !query->as_string() || returned_any(*json, entries) || words.stand_in(line)) return std::nullopt;
  if (words.are_said_in(*query->as_string()) || words.stand_in(*query->as_string())) return std::nullopt;
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
  void remove_displaced(const path& folder, const PurgedWords& words, const PurgeTarget& target) {
    const auto shows_id = [&](std::string_view bytes) {
      return std::ranges::any_of(target.ids, [&](const std::string& id) { return bytes.contains(id); });
    };
    std::error_code error;
    for (const auto& item : std::filesystem::directory_iterator(folder, error)) {
      if (!item.is_regular_file(error) || !is_displaced_name(item.path().filename().string())) continue;
      const auto bytes = read_file(vault_.files(), item.path());
      if (!bytes) failed(item.path(), bytes.error());
      if (!bytes || !(words.stand_in(*bytes) || shows_id(*bytes))) continue;
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

void find_words(const Vault& vault, const path& file, const std::string& name, const PurgedWords& words,
                std::vector<std::string>& found) {
  const auto bytes = read_file(vault.files(), file);
  if (!bytes) return;
  const size_t at = words.find_in(*bytes);
  if (at == std::string::npos) return;
  found.push_back(name + ":" + std::to_string(1 + std::ranges::count(std::string_view(*bytes).substr(0, at), '\n')));
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
  const PurgedWords words(entries);
  StateFolder state(vault, purged);
  state.change(vault.state_folder() / "journal", [&](std::string_view bytes) {
    return change_lines(bytes, [&](std::string_view line) { return purge_journal_line(line, target); });
  });
  state.change(vault.state_folder() / "retrieval", [&](std::string_view bytes) {
    return change_lines(bytes, [&](std::string_view line) { return purge_retrieval_line(line, entries, words); });
  });
  state.change(vault.temporary_folder(), [&](std::string_view bytes) { return purge_markdown(bytes, target); });
  state.remove_displaced(vault.temporary_folder(), words, target);
  purge_kept(vault, entries, target, purged);
  // Copies and hashes of files as they were last seen: they are only there to tell what a person changes next, and are made anew.
  state.remove(vault.state_folder() / "edits");
}

std::vector<std::string> files_that_still_hold(const Vault& vault, const std::vector<Entry>& entries) {
  const PurgedWords words(entries);
  std::vector<std::string> found;
  for (const path& root : {vault.root(), vault.state_folder()}) {
    std::error_code error;
    recursive_directory_iterator walk(root, std::filesystem::directory_options::skip_permission_denied, error);
    for (; !error && walk != recursive_directory_iterator(); walk.increment(error)) {
      if (walk->path().filename() == ".git") walk.disable_recursion_pending();
      if (!walk->is_regular_file(error) || found.size() == most_matches) continue;
      const bool inside = root == vault.root();
      find_words(vault, walk->path(), inside ? walk->path().lexically_relative(root).string() : walk->path().string(), words,
                 found);
    }
  }
  return found;
}

}  // namespace loci
