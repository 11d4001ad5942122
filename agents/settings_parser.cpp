#include <algorithm>
#include <unordered_map>

#include "agents/settings_text.h"
#include "base/byte_order_mark.h"

namespace loci {
namespace {

constexpr size_t deepest = 64, longest = size_t{64} << 20;

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '-' ||
         c == '+' || c == '.';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<SettingsNode> parse() {
    at_ = byte_order_mark_of(text_).size();
    TRY(skip());
    if (at_ == text_.size()) {
      SettingsNode empty;
      empty.begin = empty.end = at_;
      empty.is_object = true;
      return empty;
    }
    auto node = TRY(value(0));
    TRY(skip());
    if (at_ < text_.size()) return wrong("something stands behind the end");
    return node;
  }

 private:
  std::unexpected<Error> wrong(std::string_view what) const {
    auto failure = fail(ErrorCode::usage, std::string(what));
    failure.error().line = 1 + static_cast<int>(std::ranges::count(text_.substr(0, at_), '\n'));
    return failure;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  // White space and comments.
  Status skip() {
    while (at_ < text_.size()) {
      if (std::string_view(" \t\r\n").contains(text_[at_])) {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_).starts_with("/*")) {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return wrong("a comment has no end");
        at_ = end + 2;
      } else {
        break;
      }
    }
    return {};
  }

  Result<SettingsNode> value(size_t depth) {
    if (depth > deepest) return wrong("it is nested too deep");
    const char first = peek();
    if (first == '{' || first == '[') return members(first == '{', depth);
    SettingsNode node;
    node.begin = at_;
    node.value = first == '"' || first == '\'' ? Json(TRY(string())) : TRY(word());
    node.end = at_;
    return node;
  }

  Result<SettingsNode> members(bool is_object, size_t depth) {
    SettingsNode node;
    node.begin = at_++;
    (is_object ? node.is_object : node.is_list) = true;
    const char close = is_object ? '}' : ']';
    while (true) {
      TRY(skip());
      if (peek() == close) break;
      SettingsNode::Member member;
      member.begin = at_;
      if (is_object) member.key = TRY(key());
      member.node = TRY(value(depth + 1));
      node.members.push_back(std::move(member));
      TRY(skip());
      if (peek() == ',') {
        ++at_;
      } else if (peek() != close) {
        return wrong(std::string("expected ',' or '") + close + "'");
      }
    }
    node.end = ++at_;
    return node;
  }

  Result<std::string> key() {
    std::string name;
    if (peek() == '"' || peek() == '\'') {
      name = TRY(string());
    } else {
      while (is_bare(peek())) name += text_[at_++];
      if (name.empty()) return wrong("expected a key");
    }
    TRY(skip());
    if (peek() != ':') return wrong("expected ':' behind the key '" + name + "'");
    ++at_;
    TRY(skip());
    return name;
  }

  Result<std::string> string() {
    const size_t begin = at_;
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size() || text_[at_] != quote) return wrong("a string has no end");
    ++at_;
    std::string raw(text_.substr(begin, at_ - begin));
    if (quote == '\'') raw = '"' + raw.substr(1, raw.size() - 2) + '"';
    const auto parsed = parse_json(raw, {.bytes = longest});
    if (!parsed || !parsed->as_string()) return wrong("a string is not written as JSON has them");
    return *parsed->as_string();
  }

  Result<Json> word() {
    const size_t begin = at_;
    while (is_bare(peek())) ++at_;
    const auto parsed = parse_json(text_.substr(begin, at_ - begin));
    if (!parsed) return wrong("expected a value");
    return *parsed;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

const SettingsNode* SettingsNode::find(std::string_view key) const {
  const SettingsNode* found = nullptr;
  if (is_object)
    for (const Member& member : members)
      if (member.key == key) found = &member.node;
  return found;
}

Json SettingsNode::to_json() const {
  if (!is_list && !is_object) return value;
  Json json = is_list ? Json::array() : Json::object();
  std::unordered_map<std::string_view, const SettingsNode*> last;
  for (const Member& member : members) last.insert_or_assign(member.key, &member.node);
  for (const Member& member : members) {
    if (is_list)
      json.push_back(member.node.to_json());
    else if (const auto found = last.extract(member.key))  // where the first of equal keys stands
      json.add_unchecked(member.key, found.mapped()->to_json());
  }
  return json;
}

Result<SettingsNode> parse_settings(std::string_view text) {
  if (text.size() > longest) return fail(ErrorCode::usage, "it is larger than 64 MiB");
  return Parser(text).parse();
}

}  // namespace loci
