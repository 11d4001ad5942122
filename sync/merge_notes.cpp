#include "sync/merge_notes.h"

#include <algorithm>

#include "edits/merge_entries.h"
#include "parser/parser.h"
#include "parser/text_lines.h"
#include "sync/merge_pieces.h"

namespace loci {
namespace {

using Texts = std::vector<std::string>;

std::string with_line_end(std::string_view text) { return std::string(text) + (text.empty() || text.ends_with('\n') ? "" : "\n"); }

bool has(const Texts& texts, const std::string& text) { return std::ranges::find(texts, text) != texts.end(); }

// Conflicts with nothing between them are one that has more than two sides.
struct Choice {
  size_t begin = 0, end = 0;  // in ours
  Texts texts;
};

std::vector<Choice> choices_of(const ConflictSides& sides) {
  std::vector<Choice> choices;
  const ConflictPlace* last = nullptr;
  for (const ConflictPlace& place : sides.places) {
    const bool goes_on = last && place.ours_begin == last->ours_end && place.theirs_begin == last->theirs_end;
    if (!goes_on) choices.push_back({place.ours_begin, place.ours_end, {}});
    choices.back().end = place.ours_end;
    for (const std::string& text : {sides.ours.substr(place.ours_begin, place.ours_end - place.ours_begin),
                                    sides.theirs.substr(place.theirs_begin, place.theirs_end - place.theirs_begin)})
      if (!goes_on || !text.empty()) choices.back().texts.push_back(goes_on && text.starts_with('\n') ? text.substr(1) : text);
    last = &place;
  }
  return choices;
}

// How many bytes of whole lines all of them begin with.
size_t common_start(const Texts& texts) {
  size_t common = 0;
  for (size_t next = 0; next < texts.front().size(); common = next) {
    next = next_line(texts.front(), next);
    const std::string_view start = std::string_view(texts.front()).substr(0, next);
    if (!std::ranges::all_of(texts, [&](const std::string& text) { return text.starts_with(start); })) break;
  }
  return common;
}

size_t common_end(const Texts& texts, size_t start) {
  size_t common = 0;
  while (common < texts.front().size() - start) {
    const size_t next = texts.front().size() - previous_line(texts.front(), texts.front().size() - common);
    const std::string_view end = std::string_view(texts.front()).substr(texts.front().size() - next);
    const auto ends_so = [&](const std::string& text) { return text.size() >= start + next && text.ends_with(end); };
    if (!std::ranges::all_of(texts, ends_so)) break;
    common = next;
  }
  return common;
}

std::string between_markers(const Texts& texts, size_t start, size_t end) {
  std::string out = texts.front().substr(0, start);
  const auto middle = [&](size_t at) {
    return at < texts.size() ? texts[at].substr(start, texts[at].size() - start - end) : std::string();
  };
  for (size_t i = 0; i < texts.size(); i += 2) {
    const bool is_apart = i == 0 || !list_marker(middle(i)).empty();
    out += conflict_block((is_apart ? "" : "\n") + middle(i), middle(i + 1).empty() ? "" : (is_apart ? "" : "\n") + middle(i + 1));
  }
  return out + texts.front().substr(texts.front().size() - end);
}

}  // namespace

bool can_be_resolved(std::string_view file) {
  const auto sides = sides_of_conflict(file);
  if (!sides) return !file.starts_with("<<<<<<<") && !file.contains("\n<<<<<<<");
  const auto has_marker = [](std::string_view side) {
    return side.starts_with("<<<<<<<") || side.contains("\n<<<<<<<") || side.contains("\n>>>>>>>");
  };
  return !has_marker(sides->ours) && !has_marker(sides->theirs);
}

Texts texts_between_markers(std::string_view file) {
  const auto sides = sides_of_conflict(file);
  if (!sides) return {with_line_end(file)};
  const auto choices = choices_of(*sides);
  size_t most = 0;
  for (const Choice& choice : choices) most = std::max(most, choice.texts.size());
  Texts texts;
  for (size_t i = 0; i < most; ++i) {
    std::string text;
    size_t position = 0;
    for (const Choice& choice : choices) {
      text.append(sides->ours, position, choice.begin - position);
      text += choice.texts[std::min(i, choice.texts.size() - 1)];
      position = choice.end;
    }
    texts.push_back(with_line_end(text.append(sides->ours, position)));
  }
  return texts;
}

Texts merged_texts(const Texts& base, const Texts& ours, const Texts& theirs) {
  Texts merged;
  for (const Texts* side : {&ours, &theirs})
    for (const std::string& text : *side)
      if (!has(merged, text) && (has(side == &ours ? theirs : ours, text) || !has(base, text))) merged.push_back(text);
  if (merged.empty() && !base.empty()) return merged_texts({}, ours, theirs);  // each chose another one of the base's
  std::ranges::sort(merged);
  return merged;
}

MergedFile merge_texts(const ThreeVersions& versions) {
  const Texts base = texts_between_markers(versions.base), ours = texts_between_markers(versions.ours),
              theirs = texts_between_markers(versions.theirs);
  const Texts merged = merged_texts(base, ours, theirs);
  if (merged.size() == 1) return {merged.front()};
  const size_t start = common_start(merged);
  std::string bytes = between_markers(merged, start, common_end(merged, start));
  if (!can_be_resolved(bytes)) bytes = between_markers(merged, 0, 0);
  return {std::move(bytes), 1};
}

}  // namespace loci
