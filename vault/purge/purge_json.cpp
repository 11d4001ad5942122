#include "vault/purge/purge_json.h"

#include <algorithm>
#include <array>
#include <span>

#include "parser/text_hash.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

constexpr JsonLimits file_limits{.bytes = size_t{64} << 20, .depth = 64};
constexpr std::array<std::string_view, 5> words_of_entry = {"before", "after", "before_markdown", "after_markdown", "text"};

bool is_one_of(std::string_view key, std::span<const std::string_view> keys) { return std::ranges::find(keys, key) != keys.end(); }

class JsonPurge {
 public:
  explicit JsonPurge(const PurgedText& text) : text_(text) {}

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
    const bool is_about_it = is_about_purged(json);
    Json::Object out;
    for (const auto& [key, value] : *json.as_object()) {
      if (text_.has_id_of_hash(key)) {
        has_changed_ = true;
        continue;
      }
      const std::string* text = value.as_string();
      const bool goes = text && !text->empty() && is_about_it && is_one_of(key, words_of_entry);
      out.emplace_back(key, goes ? placeholder_for(*text) : purged(value));
    }
    return out;
  }

  bool is_about_purged(const Json& json) const {
    const auto is_purged = [&](const Json& one) { return text_.has_id(one.text_at("id")); };
    return is_purged(json) || std::ranges::any_of(json.array_at("facts"), is_purged);
  }

  Json placeholder_for(const std::string& text) {
    has_changed_ = has_changed_ || text != purged_placeholder;
    return Json(purged_placeholder);
  }

  Json purged_text(const std::string& text) {
    if (text_.stands_in(text) || text_.has_id_of_hash(text)) return placeholder_for(text);
    if (text_.has_hash(text)) {
      has_changed_ = true;
      return Json(std::string(text.size(), '0'));
    }
    if (text_.has_hash(stored_text_hash(text))) return placeholder_for(text);
    if (text.contains("<!--m ") && tells_of_purged(text, text_)) return placeholder_for(text);
    return text;
  }

  const PurgedText& text_;
  bool has_changed_ = false;
};

}  // namespace

bool purge_json(Json& json, const PurgedText& text) {
  JsonPurge purge(text);
  Json purged = purge.purged(json);
  if (!purge.has_changed()) return false;
  json = std::move(purged);
  return true;
}

std::optional<std::string> purge_json_file(std::string_view bytes, const PurgedText& text) {
  auto json = parse_json(bytes, file_limits);
  if (!json) return text.stands_escaped_in(bytes) ? std::nullopt : std::optional(std::string(bytes));
  return purge_json(*json, text) ? to_string(*json) + '\n' : std::string(bytes);
}

std::string purge_json_lines(std::string_view bytes, const PurgedText& text, const PurgeLine& purge) {
  std::string out;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, std::min(end + 1, bytes.size()));
    bytes.remove_prefix(line.size());
    const auto before = parse_json(line, file_limits);
    if (!before) {
      if (!text.stands_escaped_in(line)) out += line;
      continue;
    }
    Json after = *before;
    if (purge(after) == PurgedLine::goes) continue;
    out += after == *before ? std::string(line) : to_string(after) + '\n';
  }
  return out;
}

}  // namespace loci
