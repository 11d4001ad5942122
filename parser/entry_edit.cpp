#include "parser/entry_edit.h"

#include <algorithm>
#include <functional>

#include "parser/headings.h"
#include "parser/parser.h"
#include "parser/same_reading.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "parser/writer.h"

namespace loci {
namespace {

constexpr const char* edit_by_hand = "edit the file by hand";

// A file with one of its entries.
struct Place {
  std::string_view bytes;
  ParsedFile parsed;
  size_t index = 0;
  const ParsedFile* before = nullptr;  // where several are edited: the file in front of all that

  const ParsedFile& original() const { return before ? *before : parsed; }
  const ParsedEntry& entry() const { return parsed.entries[index]; }
};

// One edit of the entry, and of each of its copies; the last first, as what stands in front of it keeps its place.
Result<std::string> edit_each(std::string_view file, std::string_view id,
                              const std::function<Result<std::string>(const Place&)>& edit) {
  const ParsedFile parsed = parse(file);
  const auto found = std::ranges::find(parsed.entries, id, &ParsedEntry::id);
  if (found == parsed.entries.end()) return fail(ErrorCode::not_found, "no entry with the id " + std::string(id));
  std::string bytes(file);
  for (auto one = parsed.entries.end(); one-- != found;) {
    if (one != found && !is_copy_of(*one, *found)) continue;
    const Place place{
        .bytes = bytes, .parsed = parse(bytes), .index = static_cast<size_t>(one - parsed.entries.begin()), .before = &parsed};
    auto after = edit(place);
    if (!after && after.error().line == 0) after.error().line = one->line;
    if (!after) return after;
    bytes = std::move(*after);
  }
  return bytes;
}

std::string splice(std::string_view file, size_t begin, size_t end, std::string_view bytes) {
  return std::string(file.substr(0, begin)).append(bytes).append(file.substr(end));
}

// The first of several ways to write the same edit that does to the file what it should, and nothing else.
Result<std::string> choose(std::vector<std::string> candidates, const std::function<bool(const ParsedFile&)>& is_right) {
  for (std::string& candidate : candidates)
    if (is_right(parse(candidate))) return std::move(candidate);
  return fail(ErrorCode::refused, "the entry cannot be changed without changing what stands around it", edit_by_hand);
}

// In the place of the entry; blank lines are added only if it would run into its neighbours otherwise.
std::vector<std::string> ways_to_put(const Place& place, size_t begin, std::string block) {
  const size_t end = place.entry().end;
  const std::string newline(line_end_of(place.bytes));
  const bool has_final_newline = end > begin && place.bytes[end - 1] == '\n';
  if (!has_final_newline) block.resize(block.size() - newline.size());
  return {splice(place.bytes, begin, end, block), splice(place.bytes, begin, end, block + newline),
          splice(place.bytes, begin, end, newline + block), splice(place.bytes, begin, end, newline + block + newline)};
}

// Where the text's first line starts: behind the metadata, if there is any.
size_t text_begin(const Place& place) { return line_begin(place.bytes, place.entry().line); }

// "- ", "2. ", or nothing if the entry is no list item.
std::string bullet_of(const Place& place) {
  const size_t begin = text_begin(place);
  return std::string(list_marker(place.bytes.substr(begin, next_line(place.bytes, begin) - begin)));
}

// As a list item with this bullet, unless the text brings a bullet of its own.
std::string with_bullet(const std::string& bullet, const std::string& text) {
  if (bullet.empty() || !list_marker(text).empty()) return text;
  std::string item = bullet;
  for (const char c : text) {
    item += c;
    if (c == '\n') item.append(bullet.size(), ' ');
  }
  return item;
}

// The name of an entry that gives it up goes to the next text below that has it in its comment.
void leave_name(std::vector<ParsedEntry>& entries, size_t index) {
  const auto has_name = [&](const ParsedEntry& one) { return one.of_copy && one.of_copy->id == entries[index].metadata->id; };
  const auto heir = std::ranges::find_if(entries, has_name);
  if (heir == entries.end()) return;
  heir->metadata = *heir->of_copy;
  heir->of_copy.reset();
  heir->id = heir->metadata->id;
}

bool is_replaced(const Place& place, const ParsedFile& after, const std::string& hash, const std::string& id) {
  if (!is_no_worse(place.original(), after) || after.entries.size() != place.parsed.entries.size()) return false;
  const ParsedEntry& now = after.entries[place.index];
  const Metadata* comment = comment_of(now);
  if (now.hash != hash || (comment == nullptr) != id.empty() || (comment && comment->id != id)) return false;
  std::vector<ParsedEntry> expected = place.parsed.entries;
  if (id.empty() && place.entry().metadata) leave_name(expected, place.index);
  expected[place.index] = now;
  return read_the_same(expected, after.entries);
}

std::string entry_hash(std::string_view text) { return text_hash(text).substr(0, 32); }

// The metadata line of a written entry, with the sum of another text.
std::string with_sum(const std::string& block, const std::string& sum) {
  constexpr size_t opening = std::string_view("<!--m ").size(), closing = std::string_view("-->").size();
  const size_t line_end = block.find('\n');
  auto metadata = parse_metadata(std::string_view(block).substr(opening, line_end - opening - closing));
  if (!metadata) return block;  // it was written by format_metadata
  metadata->sum = sum;
  return format_metadata(*metadata) + block.substr(line_end);
}

Result<std::string> put_entry(const Place& place, const Metadata& metadata, std::string_view text, const std::string* sum) {
  const std::string hash = entry_hash(text);
  const auto is_right = [&](const ParsedFile& after) { return is_replaced(place, after, hash, metadata.id); };
  Result<std::string> result = fail(ErrorCode::failed, "");
  const std::string plain = normalise_text(text), item = with_bullet(bullet_of(place), plain);
  for (const std::string& body : {item, plain}) {
    auto block = write_entry(metadata, body);
    if (!block) return block;
    if (sum) block = with_sum(*block, *sum);
    result = choose(ways_to_put(place, place.entry().begin, with_line_ends(*block, line_end_of(place.bytes))), is_right);
    if (result || item == plain) break;
  }
  return result;
}

// The text stays.
Result<std::string> put_metadata(const Place& place, const Metadata& metadata) {
  const ParsedEntry& entry = place.entry();
  const std::string line = format_metadata(metadata) + std::string(line_end_of(place.bytes));
  return choose({splice(place.bytes, entry.begin, next_line(place.bytes, entry.begin), line)}, [&](const ParsedFile& after) {
    return is_replaced(place, after, entry.hash, metadata.id) && *comment_of(after.entries[place.index]) == metadata;
  });
}

// Its words alone.
Result<std::string> put_text_alone(const Place& place) {
  const ParsedEntry& entry = place.entry();
  const std::string body = with_line_ends(with_bullet(bullet_of(place), entry.text) + '\n', line_end_of(place.bytes));
  return choose(ways_to_put(place, entry.begin, body),
                [&](const ParsedFile& after) { return is_replaced(place, after, entry.hash, {}); });
}

// Without metadata: only the words change.
Result<std::string> put_words(const Place& place, std::string_view text) {
  TRY(write_entry({}, text));
  const std::string plain = normalise_text(text), hash = entry_hash(text);
  const std::string body = with_bullet(bullet_of(place), plain) + '\n';
  return choose(ways_to_put(place, text_begin(place), with_line_ends(body, line_end_of(place.bytes))),
                [&](const ParsedFile& after) { return is_replaced(place, after, hash, {}); });
}

size_t skip_blank_lines(std::string_view file, size_t begin) {
  while (begin < file.size()) {
    const size_t next = next_line(file, begin);
    if (!is_blank_line(file.substr(begin, next - begin))) break;
    begin = next;
  }
  return begin;
}

size_t before_blank_lines(std::string_view file, size_t end) {
  while (end > 0) {
    const size_t begin = previous_line(file, end);
    if (!is_blank_line(file.substr(begin, end - begin))) break;
    end = begin;
  }
  return end;
}

std::vector<std::string> ways_to_remove(const Place& place) {
  const std::string_view file = place.bytes;
  const size_t begin = place.entry().begin, end = place.entry().end;
  const size_t all_end = skip_blank_lines(file, end), all_begin = before_blank_lines(file, begin);
  std::vector<std::string> ways;
  if (all_end == file.size()) ways.push_back(splice(file, all_begin, all_end, ""));
  if (all_begin < begin || begin == 0) ways.push_back(splice(file, begin, all_end, ""));
  ways.push_back(splice(file, begin, end, ""));
  ways.push_back(splice(file, begin, end, line_end_of(file)));
  return ways;
}

// The entry between blank lines, at a line start of the file.
std::string insert_at(std::string_view file, size_t position, std::string_view heading, const std::string& block) {
  const std::string_view newline = line_end_of(file);
  const size_t before = before_blank_lines(file, position);
  std::string bytes;
  if (before > 0) {
    if (file[before - 1] != '\n') bytes += newline;
    bytes += newline;
  }
  if (!heading.empty()) bytes.append(heading).append(newline).append(newline);
  bytes += block;
  const size_t rest = skip_blank_lines(file, before);
  if (rest < file.size()) bytes += newline;
  return splice(file, before, rest, bytes);
}

bool is_inserted(const ParsedFile& before, const ParsedFile& after, const std::string& id, const std::string& hash,
                 std::string_view section) {
  if (!is_no_worse(before, after) || after.entries.size() != before.entries.size() + 1) return false;
  const auto now = std::ranges::find(after.entries, id, &ParsedEntry::id);
  if (now == after.entries.end() || now->hash != hash) return false;
  if (!section.empty() && (now->section.empty() || !is_same_heading(now->section.back(), section))) return false;
  std::vector<ParsedEntry> others = after.entries;
  others.erase(others.begin() + (now - after.entries.begin()));
  return read_the_same(before.entries, others);
}

}  // namespace

Result<std::string> replace_entry_text(std::string_view file, std::string_view id, std::string_view text, KeepSum keep_sum) {
  return edit_each(file, id, [&](const Place& place) {
    const Metadata* metadata = comment_of(place.entry());
    if (!metadata) return put_words(place, text);
    return put_entry(place, *metadata, text, keep_sum == KeepSum::yes ? &metadata->sum : nullptr);
  });
}

Result<std::string> remove_metadata(std::string_view file, int line) {
  Place place{.bytes = file, .parsed = parse(file)};
  const auto found = std::ranges::find(place.parsed.entries, line, &ParsedEntry::line);
  if (found == place.parsed.entries.end() || !comment_of(*found))
    return fail(ErrorCode::not_found, "no entry with metadata stands in line " + std::to_string(line));
  place.index = static_cast<size_t>(found - place.parsed.entries.begin());
  return put_text_alone(place);
}

Result<std::string> replace_entry(std::string_view file, std::string_view id, const Metadata& metadata, std::string_view text) {
  return edit_each(file, id, [&](const Place& place) { return put_entry(place, metadata, text, nullptr); });
}

Result<std::string> set_entry_tags(std::string_view file, std::string_view id, const std::vector<std::string>& tags) {
  return edit_each(file, id, [&](const Place& place) -> Result<std::string> {
    if (!comment_of(place.entry()))
      return fail(ErrorCode::refused, "a person's own text has no tags that loci could set", "write #tag into it");
    Metadata metadata = *comment_of(place.entry());
    metadata.tags = tags;
    return put_metadata(place, metadata);
  });
}

Result<std::string> set_entry_sum(std::string_view file, std::string_view id, const std::string& sum) {
  return edit_each(file, id, [&](const Place& place) -> Result<std::string> {
    if (!comment_of(place.entry())) return fail(ErrorCode::refused, "a person's own text has no sum");
    Metadata metadata = *comment_of(place.entry());
    metadata.sum = sum;
    return put_metadata(place, metadata);
  });
}

Result<std::string> set_entry_from(std::string_view file, std::string_view id, const std::vector<std::string>& from) {
  return edit_each(file, id, [&](const Place& place) -> Result<std::string> {
    if (!comment_of(place.entry())) return fail(ErrorCode::refused, "a person's own text rests on nothing", edit_by_hand);
    Metadata metadata = *comment_of(place.entry());
    metadata.from = from;
    return put_metadata(place, metadata);
  });
}

Result<std::string> remove_entry(std::string_view file, std::string_view id) {
  return edit_each(file, id, [](const Place& place) {
    std::vector<ParsedEntry> expected = place.parsed.entries;
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(place.index));
    return choose(ways_to_remove(place), [&](const ParsedFile& after) {
      return is_no_worse(place.original(), after) && read_the_same(expected, after.entries);
    });
  });
}

Result<std::string> insert_entry(std::string_view file, const Metadata& metadata, std::string_view text, std::string_view section) {
  if (metadata.id.empty()) return fail(ErrorCode::usage, "an entry that is inserted needs an id");
  const auto written = TRY(write_entry(metadata, text));
  const ParsedFile before = parse(file);
  if (std::ranges::find(before.entries, metadata.id, &ParsedEntry::id) != before.entries.end())
    return fail(ErrorCode::refused, "there is an entry with the id " + metadata.id + " already");
  if (before.held || before.open_end != OpenEnd::none)
    return fail(ErrorCode::refused, "the file has conflict markers, or something at its end that is not closed", edit_by_hand);

  const std::string block = with_line_ends(written, line_end_of(file));
  std::vector<std::string> ways;
  if (!section.empty()) {
    for (const size_t end : ends_of_sections(file, section)) ways.push_back(insert_at(file, end, {}, block));
    if (ways.empty()) ways.push_back(insert_at(file, file.size(), "## " + std::string(section), block));
  } else {
    ways.push_back(insert_at(file, file.size(), {}, block));
  }
  return choose(std::move(ways),
                [&](const ParsedFile& after) { return is_inserted(before, after, metadata.id, entry_hash(text), section); });
}

}  // namespace loci
