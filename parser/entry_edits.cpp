#include "parser/entry_edits.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "parser/entry_edit.h"
#include "parser/same_reading.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "parser/writer.h"

namespace loci {
namespace {

using Kind = EntryEdit::Kind;
using ByEntry = std::unordered_map<size_t, const EntryEdit*>;  // index of the entry -> its edit

Result<ByEntry> edits_by_entry(const ParsedFile& parsed, const std::vector<EntryEdit>& edits) {
  std::unordered_map<std::string_view, size_t> known;
  for (size_t i = 0; i < parsed.entries.size(); ++i) known.emplace(parsed.entries[i].id, i);  // of one id the first counts
  ByEntry by_entry;
  for (const EntryEdit& edit : edits) {
    if (edit.kind == Kind::append) continue;
    const auto entry = known.find(edit.id);
    if (entry == known.end()) return fail(ErrorCode::not_found, "no entry with the id " + edit.id);
    by_entry.emplace(entry->second, &edit);
  }
  for (size_t i = 0; i < parsed.entries.size(); ++i) {
    if (!parsed.entries[i].of_copy) continue;
    const auto first = known.find(parsed.entries[i].of_copy->id);
    if (first == known.end() || !is_copy_of(parsed.entries[i], parsed.entries[first->second])) continue;
    if (const auto edit = by_entry.find(first->second); edit != by_entry.end()) by_entry.emplace(i, edit->second);
  }
  return by_entry;
}

// Behind the blank lines that follow the entry: they go with it where one stands before it too.
size_t end_with_blank_lines(std::string_view file, size_t end) {
  while (end < file.size()) {
    const size_t next = next_line(file, end);
    if (!is_blank_line(file.substr(end, next - end))) break;
    end = next;
  }
  return end;
}

// Nothing follows any more that they could separate.
void drop_blank_lines_at_end(std::string& bytes) {
  while (!bytes.empty()) {
    const size_t begin = previous_line(bytes, bytes.size());
    if (!is_blank_line(std::string_view(bytes).substr(begin))) break;
    bytes.resize(begin);
  }
}

void end_with_blank_line(std::string& bytes, std::string_view newline) {
  if (bytes.empty()) return;
  if (!bytes.ends_with('\n')) bytes += newline;
  if (!bytes.ends_with("\n\n") && !bytes.ends_with("\n\r\n")) bytes += newline;
}

// The likely way to write all edits: each entry in the place of the old one, with the blank lines that stood around it.
Result<std::string> written(std::string_view file, const ParsedFile& parsed, const ByEntry& by_entry,
                            const std::vector<EntryEdit>& edits) {
  const std::string_view newline = line_end_of(file);
  std::string bytes;
  size_t copied = 0;
  for (size_t i = 0; i < parsed.entries.size(); ++i) {
    const auto edit = by_entry.find(i);
    if (edit == by_entry.end()) continue;
    const ParsedEntry& entry = parsed.entries[i];
    bytes += file.substr(copied, entry.begin - copied);
    copied = entry.end;
    if (edit->second->kind == Kind::remove) {
      copied = end_with_blank_lines(file, entry.end);
      if (copied == file.size()) drop_blank_lines_at_end(bytes);
      continue;
    }
    auto block = TRY(write_entry(edit->second->metadata, edit->second->text));
    bytes += with_line_ends(block, newline);
  }
  bytes += file.substr(copied);
  for (const EntryEdit& edit : edits) {
    if (edit.kind != Kind::append) continue;
    auto block = TRY(write_entry(edit.metadata, edit.text));
    end_with_blank_line(bytes, newline);
    bytes += with_line_ends(block, newline);
  }
  return bytes;
}

bool is_as_asked(const ParsedEntry& entry, const EntryEdit& edit) {
  const Metadata* comment = comment_of(entry);
  if (!comment || entry.hash != stored_text_hash(edit.text)) return false;
  Metadata now = *comment, wanted = edit.metadata;
  now.sum = wanted.sum = {};
  now.end = wanted.end = false;
  return now == wanted;
}

bool is_right(const ParsedFile& before, const ParsedFile& after, const ByEntry& by_entry, const std::vector<EntryEdit>& edits) {
  if (!is_no_worse(before, after)) return false;
  auto now = after.entries.begin();
  for (size_t i = 0; i < before.entries.size(); ++i) {
    const auto edit = by_entry.find(i);
    if (edit != by_entry.end() && edit->second->kind == Kind::remove) continue;
    if (now == after.entries.end()) return false;
    const bool right = edit == by_entry.end() ? reads_the_same(before.entries[i], *now)
                                              : is_as_asked(*now, *edit->second) && now->section == before.entries[i].section;
    if (!right) return false;
    ++now;
  }
  for (const EntryEdit& edit : edits) {
    if (edit.kind != Kind::append) continue;
    if (now == after.entries.end() || !is_as_asked(*now, edit)) return false;
    ++now;
  }
  return now == after.entries.end();
}

// Each function knows more than one way, and how to tell why there is none.
Result<EditedFile> one_by_one(std::string_view file, const std::vector<EntryEdit>& edits) {
  std::string bytes(file);
  for (const EntryEdit& edit : edits) {
    auto after = TRY(edit.kind == Kind::replace  ? replace_entry(bytes, edit.id, edit.metadata, edit.text)
                     : edit.kind == Kind::remove ? remove_entry(bytes, edit.id)
                                                 : insert_entry(bytes, edit.metadata, edit.text));
    bytes = std::move(after);
  }
  ParsedFile parsed = parse(bytes);
  return EditedFile{std::move(bytes), std::move(parsed)};
}

}  // namespace

Result<EditedFile> apply_entry_edits(std::string_view file, const ParsedFile& parsed, const std::vector<EntryEdit>& edits) {
  const auto by_entry = TRY(edits_by_entry(parsed, edits));
  auto bytes = TRY(written(file, parsed, by_entry, edits));
  ParsedFile after = parse(bytes);
  if (is_right(parsed, after, by_entry, edits)) return EditedFile{std::move(bytes), std::move(after)};
  return one_by_one(file, edits);
}

}  // namespace loci
