#include "context/block_lines.h"

#include <cstdio>

#include "base/named_day.h"
#include "context/data_text.h"
#include "context/sentences.h"
#include "parser/parser.h"

namespace loci {
namespace {

std::string label_of(const Entry& entry) {
  if (entry.source == Source::correction) return "correction";
  std::string category = as_data_line(entry.category);
  return category.empty() ? std::string(name_of(entry.source)) : category;
}

std::string line_of(const Entry& entry, const std::string& behind_id, const StemCounts& context, const TokenCounter& counter) {
  const EntryPlace place = entry.places.empty() ? EntryPlace{} : entry.places.front();
  return "- [" + entry.id + behind_id + "] " + line_around_match(entry.text, context, counter) + " (" + as_data_line(place.file) +
         ":" + std::to_string(place.line) + ")";
}

}  // namespace

double confidence_of(const Entry& entry) { return entry.confidence.value_or(default_confidence(entry.source)); }

std::string fact_line(const Entry& entry, const StemCounts& context, const TokenCounter& counter) {
  char confidence[16];
  std::snprintf(confidence, sizeof confidence, " | %.2f", confidence_of(entry));
  return line_of(entry, " | " + label_of(entry) + confidence, context, counter);
}

std::string history_line(const Entry& entry, const StemCounts& context, const TokenCounter& counter, const Clock& clock) {
  return line_of(entry, entry.at ? " | " + named_day(clock, *entry.at) : "", context, counter);
}

std::vector<std::string> user_context_lines(std::string_view user_file) {
  std::vector<std::string> lines, section;
  for (const ParsedEntry& entry : parse(user_file).entries) {
    const std::string text = as_data_line(entry.text);
    if (text.empty()) continue;
    if (!lines.empty() && !entry.section.empty() && entry.section == section)
      lines.back() += "; " + text;
    else
      lines.push_back("- " + (entry.section.empty() ? std::string() : as_data_line(entry.section.back()) + ": ") + text);
    section = entry.section;
  }
  return lines;
}

}  // namespace loci
