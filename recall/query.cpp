#include "recall/query.h"

#include <algorithm>
#include <optional>

#include "base/relative_time.h"
#include "base/unicode.h"
#include "recall/asking_words.h"
#include "recall/code_point.h"
#include "recall/function_words.h"
#include "recall/query_words.h"
#include "recall/question_cues.h"

namespace loci {
namespace {

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

class QueryParser {
 public:
  explicit QueryParser(std::string text) : text_(std::move(text)) {}

  SearchQuery parse() {
    while (position_ < text_.size()) {
      const CodePoint c = code_point_at(text_, position_);
      if (c.kind == CharacterClass::space)
        position_ = c.end;
      else
        item();
    }
    const bool names_a_day = cues_of(text_, 0).day.has_value();
    query_.tells_nothing =
        query_.excluded.empty() && std::ranges::all_of(query_.terms, [&](const QueryTerm& term) {
          const std::string word = fold(term.text);
          return !term.phrase && !term.prefix && (weight_of_question_word(word) < 1 || (names_a_day && belongs_to_a_day(word)));
        });
    if (query_.terms.empty()) query_.terms = std::move(function_words_);
    const EntryFilter& filter = query_.filter;
    query_.about_past = asks_about_history(text_);
    query_.history = !filter.layers.empty() || filter.since || filter.until || !query_.since.empty() || !query_.until.empty() ||
                     query_.about_past;
    query_.text = std::move(text_);
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

  // A phrase is looked for as it stands; an entry that has only its words follows behind one that has them all in a row.
  void add_phrase(std::string_view phrase, bool excluded) {
    if (!has_term_character(phrase)) return;
    add(excluded ? query_.excluded : query_.terms, {std::string(phrase), true, false});
    if (!excluded && std::ranges::count(phrase, ' ') > 0) plain(phrase, false);
  }

  void plain(std::string_view chunk, bool excluded) {
    if (excluded) {
      const bool prefix = chunk.ends_with('*');
      if (prefix) chunk.remove_suffix(1);
      if (has_term_character(chunk)) add(query_.excluded, {std::string(chunk), !prefix, prefix});
      return;
    }
    for (const QueryWord& piece : split_words(chunk)) {
      const bool prefix = piece.spaced && piece.end < chunk.size() && chunk[piece.end] == '*';
      if (!piece.spaced || prefix) {
        add(query_.terms, {std::string(piece.text), false, prefix});
        continue;
      }
      const std::string_view word = without_clitics(piece.text);
      const bool function_word = is_function_word(plain_form(piece.text)) || is_function_word(plain_form(word));
      add(function_word ? function_words_ : query_.terms, {std::string(word), false, false});
    }
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
    if (!excluded && (name == "since" || name == "until") && !parse_time(value) &&
        parse_date(value, Instant(std::chrono::days(20'000)))) {
      (name == "since" ? query_.since : query_.until).push_back(value);
      return true;
    }
    EntryFilter negative;
    if (!apply(excluded ? negative : query_.filter, name, value))
      query_.ignored.push_back(std::string(excluded ? "-" : "") + name + ":" + value);
    else if (excluded)
      query_.without.push_back(std::move(negative));
    return true;
  }

  static bool is_filter(std::string_view name) {
    constexpr std::string_view names[] = {"tag", "project", "task", "source", "kind", "layer", "session", "since", "until"};
    return std::ranges::find(names, name) != std::end(names);
  }

  // False if the value means nothing.
  static bool apply(EntryFilter& filter, std::string_view name, const std::string& value) {
    if (name == "tag") return push_if(filter.tags, tag_of(value));
    if (name == "project" || name == "task" || name == "session") {
      (name == "project" ? filter.project : name == "task" ? filter.task : filter.session) = value;
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
  SearchQuery query_;
  std::vector<QueryTerm> function_words_;
};

}  // namespace

SearchQuery parse_query(std::string_view text) { return QueryParser(clean(text)).parse(); }

}  // namespace loci
