#include "parser/front_values.h"

#include <algorithm>
#include <map>

#include "base/clock.h"
#include "parser/front_words.h"
#include "parser/tag_names.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

constexpr size_t most_pieces = 1'000;  // that are read one by one where the whole is no YAML

std::string date_of(std::string_view value) {
  constexpr size_t date_length = 10;
  if (parse_time(value)) return std::string(value);
  const std::string_view date = value.substr(0, date_length);
  return date.size() == date_length && parse_time(date) ? std::string(date) : std::string();
}

// Some YAML of the front matter: all of it, or one key of many with its value.
struct Piece {
  std::string_view text;
  std::vector<YamlNode> nodes;
};

struct Place {
  const Piece* piece;
  size_t node;
  bool is_item = false;  // of a list, or a key

  const YamlNode& operator*() const { return piece->nodes[node]; }
  const YamlNode* operator->() const { return &piece->nodes[node]; }
};

// Walks over pieces, each node once whatever names it: aliases may name one another, and themselves.
class ValuesReader {
 public:
  ValuesReader(const std::vector<Piece>& pieces, FrontValues& values) : pieces_(pieces), values_(values) {
    for (const Piece& piece : pieces_) {
      seen_[&piece].resize(piece.nodes.size());
      for (size_t node = 0; node < piece.nodes.size(); ++node)
        if (const std::string& anchor = piece.nodes[node].anchor; !anchor.empty()) anchors_[anchor].push_back({&piece, node});
    }
  }

  void read() {
    for (const Piece& piece : pieces_)
      for (size_t node = 0; node < piece.nodes.size(); ++node) {
        if (piece.nodes[node].kind == YamlNode::Kind::mapping) read_pairs({&piece, node});
        if (piece.nodes[node].kind == YamlNode::Kind::scalar) read_lines(piece.nodes[node].text);
      }
    take_tags();
  }

  // An alias names an anchor that nobody has read.
  bool misses_something() const { return misses_something_; }

 private:
  bool is_new(const Place& place) {
    const bool was_seen = seen_[place.piece][place.node];
    seen_[place.piece][place.node] = true;
    return !was_seen;
  }

  // A node, or what it is an alias for.
  std::vector<Place> meant_by(const Place& place) {
    if (place->kind != YamlNode::Kind::alias) return {place};
    const auto found = anchors_.find(place->text);
    misses_something_ = misses_something_ || found == anchors_.end();
    return found == anchors_.end() ? std::vector<Place>() : found->second;
  }

  void read_pairs(const Place& mapping) {
    const size_t end = mapping->next;
    for (size_t key = mapping.node + 1, value = 0; key < end; key = mapping.piece->nodes[value].next) {
      value = mapping.piece->nodes[key].next;
      for (const Place& name : meant_by({mapping.piece, key}))
        if (name->kind == YamlNode::Kind::scalar) read_pair(name->text, {mapping.piece, value}, mapping.node == 0);
    }
  }

  // Tags count wherever they stand, the date only where it is said of the whole file.
  void read_pair(std::string_view key, const Place& value, bool is_outermost) {
    if (const std::string name = tag_name(key); name == "tags" || name == "tag") tagged_.push_back(value);  // “tags”, too
    if (key == "<<") look_for_anchors(value);
    if (is_outermost && name_seen(key) == "date")
      for (const Place& date : meant_by(value))
        if (values_.date.empty()) values_.date = date_of(date->text);
  }

  // What is merged is a mapping of its own, and read as that, unless nobody could read it.
  void look_for_anchors(const Place& value) {
    for (size_t node = value.node; node < value->next; ++node) meant_by({value.piece, node});
  }

  // What YAML takes for one text, and a person wrote as a key: "tags:private", or with a no-break space behind the colon.
  void read_lines(std::string_view text) {
    for (size_t at = 0; at < text.size(); at = next_line(text, at)) {
      const std::string_view line = text.substr(at, next_line(text, at) - at);
      const size_t behind = behind_tags_key(line);
      if (behind != std::string_view::npos) add_words_as_tags(values_.tags, line.substr(behind));
    }
  }

  void take_tags() {
    std::ranges::reverse(tagged_);
    while (!tagged_.empty()) {
      const Place place = tagged_.back();
      tagged_.pop_back();
      if (!is_new(place)) continue;
      if (place->kind == YamlNode::Kind::scalar) {
        take_scalar(place);
      } else if (place->kind == YamlNode::Kind::alias) {
        const auto meant = meant_by(place);
        if (meant.empty()) add_tag(values_.tags, place->text);
        for (const Place& one : meant) tagged_.push_back(one);
      } else {
        const size_t first = tagged_.size();
        for (size_t item = place.node + 1; item < place->next; item = place.piece->nodes[item].next)
          tagged_.push_back({place.piece, item, true});
        std::reverse(tagged_.begin() + static_cast<std::ptrdiff_t>(first), tagged_.end());
      }
    }
  }

  // An item of a list is a tag, and every word is one. What looks like a comment to YAML are tags to a person: "tags: #one, #two".
  void take_scalar(const Place& place) {
    const std::string& text = place->text;
    if (place.is_item && tag_words(text).size() > 1) add_tag(values_.tags, text);
    add_listed_tags(values_.tags, text);
    if (!place->may_have_comment) return;
    const std::string_view behind = rest_of_line(place);
    if (behind.size() > 1 && behind[0] == '#' && behind[1] != ' ' && behind[1] != '\t')
      add_listed_tags(values_.tags, behind.substr(0, behind.find(" # ")));
  }

  // Places come in the order of the text, nearly always.
  std::string_view rest_of_line(const Place& place) {
    if (place.piece != walked_ || place->end_character < characters_) {
      walked_ = place.piece;
      characters_ = bytes_ = 0;
    }
    const std::string_view text = place.piece->text;
    while (characters_ < place->end_character && bytes_ < text.size()) {
      ++characters_;
      do ++bytes_;
      while (bytes_ < text.size() && (static_cast<unsigned char>(text[bytes_]) & 0xC0) == 0x80);
    }
    const std::string_view rest = text.substr(bytes_, text.find_first_of("\r\n", bytes_) - bytes_);
    return rest.substr(std::min(rest.find_first_not_of(" \t"), rest.size()));
  }

  const std::vector<Piece>& pieces_;
  FrontValues& values_;
  std::map<const Piece*, std::vector<bool>> seen_;
  std::map<std::string, std::vector<Place>> anchors_;
  std::vector<Place> tagged_;
  bool misses_something_ = false;
  const Piece* walked_ = nullptr;
  size_t characters_ = 0, bytes_ = 0;  // walked so far
};

size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

// Cut before each key that is not indented deeper than the first.
std::vector<std::string_view> cut_at_keys(std::string_view block) {
  std::vector<std::string_view> pieces;
  size_t begin = 0, indent = std::string_view::npos;
  for (size_t at = 0; at < block.size(); at = next_line(block, at)) {
    std::string_view line = block.substr(at, next_line(block, at) - at);
    const size_t blanks = indent_of(line);
    line = line.substr(blanks, line.find_first_of("\r\n", blanks) - blanks);
    if (line.empty() || line.front() == '#') continue;
    if (indent == std::string_view::npos) indent = blanks;
    if (blanks > indent || (find_key_end(line) == std::string_view::npos && !line.starts_with("? "))) continue;
    if (at > begin) pieces.push_back(block.substr(begin, at - begin));
    begin = at;
  }
  pieces.push_back(block.substr(begin));
  return pieces;
}

}  // namespace

size_t find_key_end(std::string_view line) {
  if (line.empty() || std::string_view(" \t<>-#*+|!&%@`[]{}").find(line.front()) != std::string_view::npos)
    return std::string_view::npos;
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return colon;
  return colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '\t' ? colon : std::string_view::npos;
}

// Where the whole is no YAML, the keys that are it are read, and of the others what may be tags.
FrontValues read_front_values(std::string_view block) {
  FrontValues values;
  std::vector<Piece> pieces;
  std::vector<std::string_view> broken;
  if (auto nodes = read_yaml(block)) {
    values.is_mapping = !nodes->empty() && nodes->front().kind == YamlNode::Kind::mapping;
    pieces.push_back({block, std::move(*nodes)});
  } else {
    values.error = nodes.error();
    size_t count = 0;
    for (const std::string_view text : cut_at_keys(block)) {
      auto one = ++count <= most_pieces ? read_yaml(text) : std::unexpected(YamlError());
      if (one)
        pieces.push_back({text, std::move(*one)});
      else
        broken.push_back(text);
    }
  }
  ValuesReader reader(pieces, values);
  reader.read();
  for (const std::string_view text : broken)
    if (reader.misses_something() || may_hold_tags(text)) add_words_as_tags(values.tags, text);
  return values;
}

}  // namespace loci
