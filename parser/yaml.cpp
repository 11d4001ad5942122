#include "parser/yaml.h"

#include <yaml.h>

#include <memory>
#include <new>

#include "base/unicode.h"

namespace loci {
namespace {

std::string text_of(const yaml_char_t* text, size_t length) { return {reinterpret_cast<const char*>(text), length}; }

std::string name_of(const yaml_char_t* name) { return name ? reinterpret_cast<const char*>(name) : std::string(); }

class Parser {
 public:
  explicit Parser(std::string_view text) : characters_(count_code_points(text)) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { yaml_parser_delete(&parser_); }

  std::expected<std::vector<YamlNode>, YamlError> read() {
    for (bool is_over = false; !is_over;) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser_, &event) == 0) return std::unexpected(error());
      const std::unique_ptr<yaml_event_t, decltype(&yaml_event_delete)> owned(&event, yaml_event_delete);
      if (const char* reason = take(event)) return std::unexpected(YamlError{event.start_mark.line, reason});
      is_over = event.type == YAML_STREAM_END_EVENT;
    }
    return std::move(nodes_);
  }

 private:
  struct Open {
    size_t node;
    bool is_flow;
  };

  // What is missed at the end was opened somewhere: that is the line to look at.
  YamlError error() const {
    const bool is_at_end = parser_.problem_mark.index >= characters_ && parser_.context;
    return {is_at_end ? parser_.context_mark.line : parser_.problem_mark.line,
            parser_.problem ? parser_.problem : "it cannot be read"};
  }

  // What is wrong, if something is.
  const char* take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        return documents_++ == 0 ? nullptr : "a second document begins";
      case YAML_SCALAR_EVENT:
        take_scalar(event);
        return nullptr;
      case YAML_ALIAS_EVENT:
        add(YamlNode::Kind::alias, name_of(event.data.alias.anchor), event.end_mark);
        return nullptr;
      case YAML_SEQUENCE_START_EVENT:
        return open(YamlNode::Kind::sequence, event.data.sequence_start.anchor, event.end_mark,
                    event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
      case YAML_MAPPING_START_EVENT:
        return open(YamlNode::Kind::mapping, event.data.mapping_start.anchor, event.end_mark,
                    event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        nodes_[open_.back().node].next = nodes_.size();
        open_.pop_back();
        return nullptr;
      default:
        return nullptr;
    }
  }

  void take_scalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    YamlNode& node = add(YamlNode::Kind::scalar, text_of(scalar.value, scalar.length), event.end_mark);
    node.anchor = name_of(scalar.anchor);
    const bool is_block = scalar.style == YAML_LITERAL_SCALAR_STYLE || scalar.style == YAML_FOLDED_SCALAR_STYLE;
    node.may_have_comment = !is_block && (open_.empty() || !open_.back().is_flow);
  }

  const char* open(YamlNode::Kind kind, const yaml_char_t* anchor, const yaml_mark_t& mark, bool is_flow) {
    if (open_.size() == deepest_yaml) return "it is nested too deep";
    add(kind, {}, mark).anchor = name_of(anchor);
    open_.push_back({nodes_.size() - 1, is_flow});
    return nullptr;
  }

  YamlNode& add(YamlNode::Kind kind, std::string text, const yaml_mark_t& end) {
    nodes_.push_back({.kind = kind, .text = std::move(text), .end_character = end.index, .next = nodes_.size() + 1});
    return nodes_.back();
  }

  size_t characters_;
  yaml_parser_t parser_;
  std::vector<YamlNode> nodes_;
  std::vector<Open> open_;
  int documents_ = 0;
};

}  // namespace

std::expected<std::vector<YamlNode>, YamlError> read_yaml(std::string_view text) {
  if (text.size() > longest_yaml)
    return std::unexpected(YamlError{0, "it has more than " + std::to_string(longest_yaml >> 10) + " KiB"});
  return Parser(text).read();
}

}  // namespace loci
