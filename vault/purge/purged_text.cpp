#include "vault/purge/purged_text.h"

#include <algorithm>

#include "base/json.h"
#include "parser/shared_words.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

constexpr size_t shortest_line = 4;  // bytes

std::string_view trimmed(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  return line;
}

bool holds_any(std::string_view text, const std::vector<std::string>& needles) {
  return std::ranges::any_of(needles, [&](const std::string& needle) { return text.contains(needle); });
}

}  // namespace

PurgedText::PurgedText(std::vector<PurgedEntry> entries) : entries_(std::move(entries)) {
  for (const PurgedEntry& entry : entries_) {
    if (!entry.id.empty()) ids_.insert(entry.id);
    if (!entry.hash.empty()) {
      hashes_.insert(entry.hash);
      ids_of_hashes_.insert(id_from_hash(entry.hash));
    }
    std::string_view rest = entry.text;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.size() < shortest_line) continue;
      lines_.emplace_back(line);
      const std::string quoted = to_string(Json(line));
      escaped_.push_back(quoted.substr(1, quoted.size() - 2));
    }
  }
}

bool PurgedText::stands_in(std::string_view text) const { return holds_any(text, lines_); }

bool PurgedText::stands_escaped_in(std::string_view bytes) const { return holds_any(bytes, lines_) || holds_any(bytes, escaped_); }

size_t PurgedText::find_in(std::string_view bytes) const {
  for (const auto* needles : {&lines_, &escaped_})
    for (const std::string& needle : *needles)
      if (const size_t at = bytes.find(needle); at != std::string_view::npos) return at;
  return std::string_view::npos;
}

bool PurgedText::is_said_in(std::string_view text) const {
  constexpr double half = 0.5;
  return std::ranges::any_of(entries_, [&](const PurgedEntry& purged) { return shared_words(purged.text, text) >= half; });
}

}  // namespace loci
