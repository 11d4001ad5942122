#include "recall/query.h"

#include <algorithm>
#include <optional>

#include "base/unicode.h"
#include "recall/function_words.h"

namespace loci {
namespace {

constexpr size_t longest_unspaced_phrase = 4;  // code points; a longer run becomes overlapping pairs

// The code point at a place, or a blank behind the end.
struct CodePoint {
  char32_t value = U' ';
  CharacterClass kind = CharacterClass::space;
  size_t end = 0;
};

CodePoint code_point_at(std::string_view text, size_t position) {
  if (position >= text.size()) return {U' ', CharacterClass::space, text.size()};
  const char32_t value = decode_code_point(text, position);
  return {value, classify(value), position};
}

bool is_quote(char32_t c) { return c == U'"' || c == U'“' || c == U'”' || c == U'„' || c == U'«' || c == U'»'; }

// At most max_query_bytes of valid UTF-8 without NUL; every kind of double quote is ".
std::string clean(std::string_view text) {
  std::string out;
  for (size_t position = 0; position < text.size();) {
    const size_t length = out.size();
    const char32_t c = decode_code_point(text, position);
    if (c == 0) continue;
    append_code_point(out, is_quote(c) ? U'"' : c);
    if (out.size() > max_query_bytes) {
      out.resize(length);
      break;
    }
  }
  return out;
}

bool is_term_character(CharacterClass kind) {
  return kind == CharacterClass::word || kind == CharacterClass::cjk || kind == CharacterClass::emoji;
}

bool has_term_character(std::string_view text) {
  for (size_t position = 0; position < text.size();) {
    const CodePoint c = code_point_at(text, position);
    if (is_term_character(c.kind)) return true;
    position = c.end;
  }
  return false;
}

// The word as the table of function words knows it: folded, ' for every apostrophe.
std::string plain_form(std::string_view word) {
  std::string out;
  for (size_t position = 0; position < word.size();) {
    const CodePoint c = code_point_at(word, position);
    append_folded(out, c.value == U'’' ? U'\'' : c.value);
    position = c.end;
  }
  return out;
}

// "Caroline's" -> "Caroline", "l'histoire" -> "histoire"; "O'Brien" and "don't" stay.
std::string_view without_clitics(std::string_view word) {
  for (const std::string_view apostrophe : {"'", "’"}) {
    const size_t at = word.find(apostrophe);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view before = word.substr(0, at), after = word.substr(at + apostrophe.size());
    if (after == "s" || after == "S") return before;
    const std::string elided = fold(before);
    if (elided == "qu" || (elided.size() == 1 && std::string_view("cdjlmnst").contains(elided[0]) && after.size() > 2))
      return after;
  }
  return word;
}

// Joins the characters on both sides of it into one identifier: foo_bar, a-b, v1.2.3, me@example.org, O'Brien.
bool is_connector(char32_t c) { return std::u32string_view(U"_-.:@'’#+~").contains(c); }

// A slash joins only in what looks like a path: "src/main.cpp", "/etc/hosts", "a/b/c", but not "coffee/tea".
bool looks_like_a_path(std::string_view chunk) {
  return chunk.starts_with('/') || chunk.starts_with('~') || chunk.starts_with('.') || std::ranges::count(chunk, '/') > 1 ||
         (chunk.contains('/') && chunk.find_first_of("._\\") != std::string_view::npos);
}

// Splits what stands between two blanks into words, identifiers, runs of unspaced script and emoji.
class ChunkSplitter {
 public:
  explicit ChunkSplitter(std::string_view chunk) : chunk_(chunk), path_(looks_like_a_path(chunk)) {}

  template <typename Emit>  // emit(text, bool is_word, end)
  void split(Emit emit) const {
    for (size_t position = 0; position < chunk_.size();) {
      const CodePoint c = code_point_at(chunk_, position);
      size_t end = c.end;
      if (c.kind == CharacterClass::word) {
        end = word_end(position);
        emit(chunk_.substr(position, end - position), true, end);
      } else if (c.kind == CharacterClass::cjk) {
        end = unspaced_run(position, emit);
      } else if (c.kind == CharacterClass::emoji) {
        emit(chunk_.substr(position, end - position), false, end);
      }
      position = end;
    }
  }

 private:
  size_t word_end(size_t position) const {
    for (;;) {
      const CodePoint c = code_point_at(chunk_, position);
      if (c.kind == CharacterClass::word || c.kind == CharacterClass::mark) {
        position = c.end;
        continue;
      }
      const bool joins = is_connector(c.value) || (path_ && (c.value == U'/' || c.value == U'\\'));
      if (!joins || code_point_at(chunk_, c.end).kind != CharacterClass::word) return position;
      position = c.end;
    }
  }

  template <typename Emit>
  size_t unspaced_run(size_t begin, Emit emit) const {
    std::vector<size_t> starts;
    size_t end = begin;
    for (CodePoint c = code_point_at(chunk_, end); c.kind == CharacterClass::cjk || c.kind == CharacterClass::mark;
         c = code_point_at(chunk_, end)) {
      if (c.kind == CharacterClass::cjk) starts.push_back(end);
      end = c.end;
    }
    if (starts.size() <= longest_unspaced_phrase) {
      emit(chunk_.substr(begin, end - begin), false, end);
      return end;
    }
    for (size_t i = 0; i + 1 < starts.size(); ++i) {
      const size_t pair_end = i + 2 < starts.size() ? starts[i + 2] : end;
      emit(chunk_.substr(starts[i], pair_end - starts[i]), false, end);
    }
    return end;
  }

  std::string_view chunk_;
  bool path_;
};

class QueryParser {
 public:
  explicit QueryParser(std::string_view text) : text_(text) {}

  Query parse() {
    while (position_ < text_.size()) {
      const CodePoint c = code_point_at(text_, position_);
      if (c.kind == CharacterClass::space)
        position_ = c.end;
      else
        item();
    }
    if (query_.terms.empty()) query_.terms = std::move(function_words_);
    const EntryFilter& filter = query_.filter;
    query_.history = !filter.layers.empty() || filter.since || filter.until || asks_about_history(text_);
    return std::move(query_);
  }

 private:
  void item() {
    const bool excluded = text_[position_] == '-' && starts_an_item(position_ + 1);
    if (excluded) ++position_;
    if (text_[position_] == '"') {
      if (const auto phrase = quoted(position_)) {
        add_phrase(*phrase, excluded);
      } else {
        ++position_;  // a lone quote is a blank
      }
      return;
    }
    const size_t begin = position_;
    while (position_ < text_.size() && text_[position_] != '"') {
      const CodePoint c = code_point_at(text_, position_);
      if (c.kind == CharacterClass::space) break;
      position_ = c.end;
    }
    const std::string_view chunk = std::string_view(text_).substr(begin, position_ - begin);
    if (!filter(chunk, excluded)) plain(chunk, excluded);
  }

  bool starts_an_item(size_t position) const {
    const CodePoint next = code_point_at(text_, position);
    return is_term_character(next.kind) || (next.value == U'"' && text_.find('"', position + 1) != std::string::npos);
  }

  // What stands in quotes from `position` on, which moves behind it; none if they don't close.
  std::optional<std::string_view> quoted(size_t& position) const {
    const size_t end = text_.find('"', position + 1);
    if (end == std::string::npos) return std::nullopt;
    const auto inside = std::string_view(text_).substr(position + 1, end - position - 1);
    position = end + 1;
    return inside;
  }

  void add_phrase(std::string_view phrase, bool excluded) {
    if (has_term_character(phrase)) add(excluded ? query_.excluded : query_.terms, {std::string(phrase), true, false});
  }

  void plain(std::string_view chunk, bool excluded) {
    if (excluded) {
      const bool prefix = chunk.ends_with('*');
      if (prefix) chunk.remove_suffix(1);
      if (has_term_character(chunk)) add(query_.excluded, {std::string(chunk), !prefix, prefix});
      return;
    }
    ChunkSplitter(chunk).split([&](std::string_view piece, bool is_word, size_t end) {
      const bool prefix = is_word && end < chunk.size() && chunk[end] == '*';
      if (!is_word || prefix) {
        add(query_.terms, {std::string(piece), false, prefix});
        return;
      }
      const std::string_view word = without_clitics(piece);
      const bool function_word = is_function_word(plain_form(piece)) || is_function_word(plain_form(word));
      add(function_word ? function_words_ : query_.terms, {std::string(word), false, false});
    });
  }

  static void add(std::vector<QueryTerm>& terms, QueryTerm term) {
    if (terms.size() >= max_query_terms) return;
    const std::string form = fold(term.text);
    const bool known = std::ranges::any_of(terms, [&](const QueryTerm& other) {
      return other.phrase == term.phrase && other.prefix == term.prefix && fold(other.text) == form;
    });
    if (!known) terms.push_back(std::move(term));
  }

  // Takes "name:value" if the name is a filter's and there is a value.
  bool filter(std::string_view chunk, bool excluded) {
    const size_t colon = chunk.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string name = fold(chunk.substr(0, colon));
    if (!is_filter(name)) return false;
    std::string value(chunk.substr(colon + 1));
    if (value.empty() && position_ < text_.size() && text_[position_] == '"')
      if (const auto inside = quoted(position_)) value = *inside;
    if (value.empty()) return false;
    EntryFilter negative;
    if (!apply(excluded ? negative : query_.filter, name, value))
      query_.ignored.push_back(std::string(excluded ? "-" : "") + name + ":" + value);
    else if (excluded)
      query_.without.push_back(std::move(negative));
    return true;
  }

  static bool is_filter(std::string_view name) {
    constexpr std::string_view names[] = {"tag", "project", "source", "kind", "layer", "session", "since", "until"};
    return std::ranges::find(names, name) != std::end(names);
  }

  // False if the value means nothing.
  static bool apply(EntryFilter& filter, std::string_view name, const std::string& value) {
    if (name == "tag") return push_if(filter.tags, tag_of(value));
    if (name == "project" || name == "session") {
      (name == "project" ? filter.project : filter.session) = value;
      return true;
    }
    if (name == "source") return push_if(filter.sources, source_from(fold(value)));
    if (name == "kind") return push_if(filter.kinds, kind_from(fold(value)));
    if (name == "layer") return push_if(filter.layers, layer_of_name(value));
    if (name == "since") return narrow(filter.since, parse_time(value), [](Instant a, Instant b) { return std::max(a, b); });
    return narrow(filter.until, parse_time_end(value), [](Instant a, Instant b) { return std::min(a, b); });
  }

  static std::optional<std::string> tag_of(const std::string& value) {
    std::string tag = value.starts_with('#') ? value.substr(1) : value;
    return tag.empty() ? std::nullopt : std::optional(std::move(tag));
  }

  static std::optional<Layer> layer_of_name(std::string_view value) {
    std::string name(value);
    if (name.starts_with('l')) name[0] = 'L';
    return layer_from(name);
  }

  template <typename T>
  static bool push_if(std::vector<T>& values, std::optional<T> value) {
    if (value) values.push_back(*value);
    return value.has_value();
  }

  template <typename Choose>
  static bool narrow(std::optional<Instant>& bound, std::optional<Instant> value, Choose choose) {
    if (value) bound = bound ? choose(*bound, *value) : *value;
    return value.has_value();
  }

  std::string text_;
  size_t position_ = 0;
  Query query_;
  std::vector<QueryTerm> function_words_;
};

}  // namespace

Query parse_query(std::string_view text) { return QueryParser(clean(text)).parse(); }

}  // namespace loci
