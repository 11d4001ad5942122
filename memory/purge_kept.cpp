#include "memory/purge_kept.h"

#include <algorithm>
#include <array>

#include "parser/parser.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

constexpr JsonLimits file_limits{.bytes = size_t{64} << 20, .depth = 64};
constexpr std::array<std::string_view, 5> words_of_entry = {"before", "after", "before_markdown", "after_markdown", "text"};
constexpr std::array<std::string_view, 2> words_of_turn = {"user", "assistant"};

bool is_one_of(std::string_view key, std::span<const std::string_view> keys) { return std::ranges::find(keys, key) != keys.end(); }

// The metadata of the markdown names a purged entry, or a fact that was purged.
bool tells_of(std::string_view markdown, const PurgeTarget& target) {
  return std::ranges::any_of(parse(markdown).entries, [&](const ParsedEntry& entry) {
    if (target.ids.contains(entry.id) || target.hashes.contains(entry.hash)) return true;
    return entry.metadata &&
           std::ranges::any_of(entry.metadata->from, [&](const std::string& id) { return target.ids.contains(id); });
  });
}

class JsonPurge {
 public:
  JsonPurge(const std::vector<Entry>& entries, const PurgeTarget& target, const PurgedWords& words, bool said)
      : target_(target), words_(words), said_(said) {
    for (const Entry& entry : entries)
      if (!entry.hash.empty()) hashes_.push_back(entry.hash);
  }

  Json purged(const Json& json) {
    if (const std::string* text = json.as_string()) return purged_text(*text);
    if (const Json::Array* array = json.as_array()) {
      Json::Array out;
      for (const Json& one : *array) out.push_back(purged(one));
      return out;
    }
    return json.as_object() ? purged_object(json) : json;
  }

  bool has_changed() const { return has_changed_; }

 private:
  Json purged_object(const Json& json) {
    const bool is_about_it = tells_of_purged(json);
    Json::Object out;
    for (const auto& [key, value] : *json.as_object()) {
      const std::string* text = value.as_string();
      const bool goes = text && !text->empty() && ((is_about_it && is_one_of(key, words_of_entry)) || is_said(key, *text));
      out.emplace_back(key, goes ? placeholder_for(*text) : purged(value));
    }
    return out;
  }

  bool tells_of_purged(const Json& json) const {
    const auto is_purged = [&](const Json& one) { return target_.ids.contains(one.text_at("id")); };
    return is_purged(json) || std::ranges::any_of(json.array_at("facts"), is_purged);
  }

  bool is_said(std::string_view key, const std::string& text) const {
    return said_ && is_one_of(key, words_of_turn) && words_.are_said_in(text);
  }

  Json placeholder_for(const std::string& text) {
    has_changed_ = has_changed_ || text != purged_placeholder;
    return Json(purged_placeholder);
  }

  Json purged_text(const std::string& text) {
    if (words_.stand_in(text) || target_.hashes.contains(stored_text_hash(text))) return placeholder_for(text);
    std::string out = text;
    for (const std::string& hash : hashes_) {
      if (text == id_from_hash(hash)) return placeholder_for(text);
      if (text == hash) out.assign(hash.size(), '0');
    }
    if (text.contains("<!--m ") && tells_of(text, target_)) return placeholder_for(text);
    has_changed_ = has_changed_ || out != text;
    return out;
  }

  const PurgeTarget& target_;
  const PurgedWords& words_;
  const bool said_;
  std::vector<std::string> hashes_;
  bool has_changed_ = false;
};

class KeptFiles {
 public:
  KeptFiles(const Vault& vault, const std::vector<Entry>& entries, const PurgeTarget& target, Purged& purged)
      : vault_(vault), entries_(entries), target_(target), words_(entries), purged_(purged) {}

  void purge_folder(const path& folder, bool said) {
    std::vector<path> files;
    std::error_code error;
    std::filesystem::recursive_directory_iterator walk(folder, error), end;
    for (; !error && walk != end; walk.increment(error))
      if (walk->is_regular_file(error)) files.push_back(walk->path());
    for (const path& file : files) purge_file(file, said);
  }

  void purge_file(const path& file, bool said) {
    const auto bytes = read_file_if_any(vault_.files(), file, file_limits.bytes);
    if (!bytes) return failed(file, bytes.error());
    if (!*bytes) return;
    const std::string suffix = file.extension().string();
    if (suffix == ".json") {
      const auto after = purged_json(**bytes, said);
      return after ? rewrite(file, **bytes, *after) : remove_if_it_holds(file, **bytes);
    }
    if (suffix == ".jsonl") return rewrite(file, **bytes, purged_lines(**bytes, said));
    if (tells_of(**bytes, target_) || words_.stand_escaped_in(**bytes)) remove(file);
  }

 private:
  std::optional<std::string> purged_json(std::string_view bytes, bool said) const {
    auto json = parse_json(bytes, file_limits);
    if (!json) return std::nullopt;
    return purge_json(*json, entries_, target_, words_, said) ? to_string(*json) + '\n' : std::string(bytes);
  }

  // A line that cannot be read is of no use to anybody.
  std::string purged_lines(std::string_view bytes, bool said) const {
    std::string out;
    while (!bytes.empty()) {
      const size_t end = std::min(bytes.find('\n'), bytes.size());
      const std::string_view line = bytes.substr(0, end);
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
      auto json = parse_json(line, file_limits);
      if (!json && words_.stand_escaped_in(line)) continue;
      const bool changed = json && purge_json(*json, entries_, target_, words_, said);
      out += changed ? to_string(*json) : std::string(line);
      out += '\n';
    }
    return out;
  }

  void rewrite(const path& file, std::string_view before, const std::string& after) {
    if (after == before) return;
    if (auto written = write_file(vault_.files(), file, after); !written) return failed(file, written.error());
    purged_.state_files.push_back(file.string());
  }

  void remove_if_it_holds(const path& file, std::string_view bytes) {
    if (words_.stand_escaped_in(bytes)) remove(file);
  }

  void remove(const path& file) {
    if (auto removed = vault_.files().remove(file); !removed) return failed(file, removed.error());
    purged_.state_files.push_back(file.string());
  }

  void failed(const path& file, const Error& error) {
    purged_.notes.push_back(file.string() + " could not be purged: " + error.message);
    purged_.complete = false;
  }

  const Vault& vault_;
  const std::vector<Entry>& entries_;
  const PurgeTarget& target_;
  const PurgedWords words_;
  Purged& purged_;
};

}  // namespace

bool purge_json(Json& json, const std::vector<Entry>& entries, const PurgeTarget& target, const PurgedWords& words, bool said) {
  JsonPurge purge(entries, target, words, said);
  Json purged = purge.purged(json);
  if (!purge.has_changed()) return false;
  json = std::move(purged);
  return true;
}

void purge_kept(const Vault& vault, const std::vector<Entry>& entries, const PurgeTarget& target, Purged& purged) {
  KeptFiles kept(vault, entries, target, purged);
  kept.purge_folder(vault.state_folder() / "runs", false);
  kept.purge_folder(vault.state_folder() / "turns", true);
  kept.purge_file(vault.state_folder() / "consolidation.json", false);
}

}  // namespace loci
