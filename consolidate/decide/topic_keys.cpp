#include "consolidate/decide/topic_keys.h"

#include <algorithm>

#include "base/unicode.h"

namespace loci {

std::string topic_key(std::string_view written) {
  std::string key;
  for (const char c : fold(written)) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if ((c >= 0 && c < ' ' && !is_blank) || c == '\x7f' || c == '<' || c == '>') return {};
    if (!is_blank)
      key += c;
    else if (!key.empty() && key.back() != ' ')
      key += ' ';
  }
  if (key.ends_with(' ')) key.pop_back();
  return count_code_points(key) > longest_topic_key ? std::string() : key;
}

Result<std::vector<std::string>> topic_keys(const Json& list) {
  std::vector<std::string> keys;
  if (list.is_null()) return keys;
  const Json::Array* array = list.as_array();
  if (!array) return fail(ErrorCode::refused, "'about' has to be a list of strings");
  for (const Json& element : *array) {
    const std::string* written = element.as_string();
    if (!written) return fail(ErrorCode::refused, "'about' has to be a list of strings");
    std::string key = topic_key(*written);
    if (!key.empty() && keys.size() < most_topic_keys && std::ranges::find(keys, key) == keys.end()) keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace loci
