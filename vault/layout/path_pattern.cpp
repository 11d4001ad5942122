#include "vault/layout/path_pattern.h"

#include <algorithm>
#include <bitset>
#include <optional>
#include <utility>

namespace loci {
namespace {

constexpr size_t word_bits = 64;
constexpr size_t most_words = (longest_pattern + 1 + word_bits - 1) / word_bits;

using Bytes = std::bitset<256>;

size_t index_of(char c) { return static_cast<unsigned char>(c); }

// What one step of the automaton takes.
struct Step {
  Bytes listed = {};
  bool others = false;  // what is not listed, instead
  bool slash = false;   // a slash, too, if it is one of those

  bool takes(size_t byte) const { return listed[byte] != others && (slash || byte != '/'); }
};

Step one(char c) {
  Step step{.slash = true};
  step.listed.set(index_of(c));
  return step;
}

// The bytes of [:NAME:] in the C locale; none if there is no such class.
std::optional<Bytes> named_class(std::string_view name) {
  using Test = bool (*)(int c);
  constexpr Test lower = [](int c) { return c >= 'a' && c <= 'z'; };
  constexpr Test upper = [](int c) { return c >= 'A' && c <= 'Z'; };
  constexpr Test digit = [](int c) { return c >= '0' && c <= '9'; };
  constexpr Test graph = [](int c) { return c > ' ' && c < 0x7F; };
  constexpr Test alnum = [](int c) { return lower(c) || upper(c) || digit(c); };
  static constexpr std::pair<std::string_view, Test> classes[] = {
      {"alnum", alnum},
      {"alpha", [](int c) { return lower(c) || upper(c); }},
      {"blank", [](int c) { return c == ' ' || c == '\t'; }},
      {"cntrl", [](int c) { return c < ' ' || c == 0x7F; }},
      {"digit", digit},
      {"graph", graph},
      {"lower", lower},
      {"print", [](int c) { return c >= ' ' && c < 0x7F; }},
      {"punct", [](int c) { return graph(c) && !alnum(c); }},
      {"space", [](int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }},
      {"upper", upper},
      {"xdigit", [](int c) { return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }},
  };
  const auto found = std::ranges::find(classes, name, &std::pair<std::string_view, Test>::first);
  if (found == std::end(classes)) return std::nullopt;
  Bytes bytes;
  for (int c = 0; c < 128; ++c) bytes[static_cast<size_t>(c)] = found->second(c);
  return bytes;
}

// Reads what stands between brackets, as git does.
class Brackets {
 public:
  // `rest` begins behind the `[`.
  explicit Brackets(std::string_view rest) : rest_(rest) {}

  // None: it is never closed, or names a class that there is not.
  std::optional<Step> read() {
    Step step;
    if (rest_.starts_with('!') || rest_.starts_with('^')) {
      step.others = true;
      rest_.remove_prefix(1);
    }
    for (bool first = true; first || !rest_.starts_with(']'); first = false)
      if (!read_one(step.listed)) return std::nullopt;
    rest_.remove_prefix(1);
    return step;
  }
  std::string_view rest() const { return rest_; }

 private:
  bool read_one(Bytes& bytes) {
    if (rest_.empty()) return false;
    if (rest_.starts_with("[:")) {
      const size_t end = rest_.find(']', 2);
      if (end == std::string_view::npos) return false;
      if (end > 2 && rest_[end - 1] == ':') return read_named(rest_.substr(2, end - 3), end + 1, bytes);
    }
    const bool is_range = last_ != none && rest_[0] == '-' && rest_.size() > 1 && rest_[1] != ']';
    if (is_range) rest_.remove_prefix(1);
    if (rest_[0] == '\\') rest_.remove_prefix(1);
    if (rest_.empty()) return false;
    const size_t byte = index_of(rest_[0]);
    for (size_t each = is_range ? last_ : byte; each <= byte; ++each) bytes.set(each);
    last_ = is_range ? none : byte;
    rest_.remove_prefix(1);
    return true;
  }

  bool read_named(std::string_view name, size_t size, Bytes& bytes) {
    const auto named = named_class(name);
    if (!named) return false;
    bytes |= *named;
    last_ = none;
    rest_.remove_prefix(size);
    return true;
  }

  std::string_view rest_;
  static constexpr size_t none = 256;
  size_t last_ = none;  // the byte that a range may begin with
};

}  // namespace

// State n is left by step n. In a state that is marked one may stay, and behind one that skips one may be at once.
class PatternCompiler {
 public:
  // False: the pattern is broken.
  bool read(std::string_view pattern, bool has_folders) {
    bool at_name = has_folders;  // where a name begins
    while (!pattern.empty()) {
      if (at_name && (pattern == "**" || pattern.starts_with("**/"))) {
        take_folders(pattern.size() == 2);
        pattern.remove_prefix(std::min<size_t>(3, pattern.size()));
        continue;
      }
      at_name = has_folders && pattern[0] == '/';
      if (!take_one(pattern)) return false;
    }
    return true;
  }

  void write(PathPattern& out) const {
    out.states_ = steps_.size() + 1;
    out.words_ = (out.states_ + word_bits - 1) / word_bits;
    out.shortest_ = steps_.size() - skips_.size();
    out.stays_.resize(out.words_);
    out.stays_at_slash_.resize(out.words_);
    out.skips_.resize(out.words_);
    for (const size_t state : stays_) set(out.stays_.data(), state);
    for (const size_t state : stays_at_slash_) set(out.stays_.data(), state), set(out.stays_at_slash_.data(), state);
    for (const size_t state : skips_) set(out.skips_.data(), state);
    write_classes(out);
  }

 private:
  void take_folders(bool at_end) {
    if (at_end) {  // "a/**" is everything below a, not a itself
      steps_.push_back({.others = true, .slash = true});
      stays_at_slash_.push_back(steps_.size());
    } else if (skips_.empty() || skips_.back() + 1 != steps_.size()) {  // "**/**/" is "**/"
      skips_.push_back(steps_.size());
      stays_at_slash_.push_back(steps_.size());
      steps_.push_back(one('/'));
    }
  }

  bool take_one(std::string_view& pattern) {
    const char c = pattern[0];
    pattern.remove_prefix(1);
    if (c == '*') {
      stays_.push_back(steps_.size());
    } else if (c == '?') {
      steps_.push_back({.others = true});
    } else if (c == '[') {
      Brackets brackets(pattern);
      const auto step = brackets.read();
      if (!step) return false;
      steps_.push_back(*step);
      pattern = brackets.rest();
    } else if (c == '\\') {
      if (pattern.empty()) return false;
      steps_.push_back(one(pattern[0]));
      pattern.remove_prefix(1);
    } else {
      steps_.push_back(one(c));
    }
    return true;
  }

  // Bytes that no step lists are all the same to the pattern, but for the slash.
  void write_classes(PathPattern& out) const {
    Bytes listed;
    listed.set('/');
    for (const Step& step : steps_) listed |= step.listed;
    size_t other = 0;
    while (other < 256 && listed[other]) ++other;
    if (other < 256) add_class(out, other);  // class 0, which every byte has so far
    for (size_t byte = 0; byte < 256; ++byte)
      if (listed[byte]) out.class_of_[byte] = add_class(out, byte);
  }

  std::uint8_t add_class(PathPattern& out, size_t byte) const {
    const size_t number = out.takes_.size() / out.words_;
    out.takes_.resize(out.takes_.size() + out.words_);
    for (size_t state = 0; state < steps_.size(); ++state)
      if (steps_[state].takes(byte)) set(&out.takes_[number * out.words_], state);
    return static_cast<std::uint8_t>(number);
  }

  static void set(std::uint64_t* words, size_t state) { words[state / word_bits] |= std::uint64_t{1} << (state % word_bits); }

  std::vector<Step> steps_;
  std::vector<size_t> stays_, stays_at_slash_, skips_;
};

PathPattern::PathPattern(std::string_view pattern) {
  if (pattern.size() > longest_pattern) return;
  any_folder_ = pattern.find('/') == std::string_view::npos;
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  PatternCompiler compiler;
  if (!pattern.empty() && compiler.read(pattern, !any_folder_)) compiler.write(*this);
}

bool PathPattern::matches(std::string_view path) const {
  if (any_folder_) path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
  if (states_ == 0 || path.empty() || path.size() < shortest_) return false;
  return words_ == 1 ? walk_one_word(path) : walk(path);
}

bool PathPattern::walk_one_word(std::string_view path) const {
  const Word skips = skips_[0];
  Word now = 1 | (skips & 1) << 1;
  for (const char c : path) {
    const Word next = (now & takes_[class_of_[index_of(c)]]) << 1;
    now = next | (next & skips) << 1 | (now & (c == '/' ? stays_at_slash_[0] : stays_[0]));
    if (now == 0) return false;
  }
  return (now >> (states_ - 1) & 1) != 0;
}

bool PathPattern::walk(std::string_view path) const {
  std::array<Word, most_words> now{}, next{};
  now[0] = 1 | (skips_[0] & 1) << 1;
  for (const char c : path) {
    const Word* takes = &takes_[class_of_[index_of(c)] * words_];
    const Word* stays = c == '/' ? stays_at_slash_.data() : stays_.data();
    Word carry = 0, skip_carry = 0, any = 0;
    for (size_t word = 0; word < words_; ++word) {
      const Word led = now[word] & takes[word];
      const Word entered = led << 1 | carry;
      carry = led >> (word_bits - 1);
      const Word skipped = entered & skips_[word];
      next[word] = entered | skipped << 1 | skip_carry | (now[word] & stays[word]);
      skip_carry = skipped >> (word_bits - 1);
      any |= next[word];
    }
    if (any == 0) return false;
    now.swap(next);
  }
  return (now[(states_ - 1) / word_bits] >> ((states_ - 1) % word_bits) & 1) != 0;
}

}  // namespace loci
