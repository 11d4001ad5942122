#include "edits/seen_file.h"

#include <algorithm>
#include <cctype>

#include "parser/conflict_lines.h"
#include "parser/core_file.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

SeenEntry seen(const ParsedEntry& entry) {
  return {entry.id,
          entry.hash,
          entry.metadata.has_value(),
          entry.text,
          entry.metadata ? entry.metadata->from : std::vector<std::string>(),
          entry.metadata && entry.metadata->sum == sum_from_hash(entry.hash)};
}

SeenEntry seen(const CoreLine& line) {
  const std::string hash = stored_text_hash(line.text);
  return {line.ref.empty() ? id_from_hash(hash) : line.ref, hash, !line.ref.empty(), words_of_line(line.text)};
}

}  // namespace

SeenFile see_file(Place place, std::string_view bytes) {
  SeenFile file;
  const ParsedFile parsed = parse(bytes);
  file.conflicts = parsed.held;
  file.hidden = find_hidden_entries(place, bytes, parsed);
  const auto held = lines_in_conflict(bytes);
  if (place != Place::core) {
    file.frame = frame_of(bytes, parsed);
    for (const ParsedEntry& entry : parsed.entries) {
      file.entries.push_back(seen(entry));
      if (held.contains(entry.line)) file.undecided.insert(entry.id);
      file.sections.insert(entry.section.begin(), entry.section.end());
    }
    return file;
  }
  const auto core = read_core(bytes);
  file.unclear = !core;
  if (!core) return file;
  file.frame = frame_of(bytes, parsed, {core->begin_line, core->end_line});
  for (const CoreLine& line : core->lines) {
    file.entries.push_back(seen(line));
    if (held.contains(line.line)) file.undecided.insert(file.entries.back().id);
  }
  return file;
}

std::string words_of_line(std::string_view line) {
  const size_t indentation = list_marker(line).size();
  std::string words;
  for (size_t begin = 0; begin < line.size(); begin = next_line(line, begin)) {
    std::string_view one = line.substr(begin, next_line(line, begin) - begin);
    one.remove_prefix(begin == 0 ? indentation : std::min(indentation, std::min(one.find_first_not_of(" \t"), one.size())));
    words += one;
  }
  return words;
}

bool is_without_comment(std::string_view text, std::string_view with_comment) {
  if (!text.starts_with(with_comment)) return false;
  text.remove_prefix(with_comment.size());
  for (size_t end; !text.empty(); text.remove_prefix(std::min(end, text.size()))) {
    if (!text.starts_with(" #")) return false;
    end = text.find(' ', 1);
  }
  return true;
}

bool has_in_it(std::string_view text, std::string_view part) {
  const auto is_word = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || static_cast<unsigned char>(text[at]) > 127);
  };
  for (size_t at = part.empty() ? text.npos : text.find(part); at != text.npos; at = text.find(part, at + 1)) {
    const size_t end = at + part.size();
    if (!(at > 0 && is_word(at - 1) && is_word(at)) && !(is_word(end - 1) && is_word(end))) return true;
  }
  return false;
}

const SeenEntry* find_seen(std::span<const SeenEntry> entries, std::string_view id) {
  const auto found = std::ranges::find(entries, id, &SeenEntry::id);
  return found == entries.end() ? nullptr : &*found;
}

const HiddenEntry* find_hidden(const SeenFile& now, const std::set<std::string>& sections, std::string_view id) {
  const auto found = std::ranges::find(now.hidden, id, &HiddenEntry::id);
  return found == now.hidden.end() || sections.contains(found->words) ? nullptr : &*found;
}

}  // namespace loci
