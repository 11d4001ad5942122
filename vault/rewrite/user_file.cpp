#include "vault/rewrite/user_file.h"

#include <algorithm>

#include "base/unicode.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/prompt_text.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

constexpr size_t file_bytes_limit = size_t{8} << 20;

// "1,000"
std::string with_thousands(size_t number) {
  std::string text = std::to_string(number);
  for (size_t position = text.size(); position > 3;) text.insert(position -= 3, ",");
  return text;
}

// Without its words: whoever is told may be an agent that must not see them.
std::string name_of(const UserFileUse::Entry& entry) {
  return entry.id + " (line " + std::to_string(entry.line) + ", " + with_thousands(entry.characters) + " characters)";
}

std::unexpected<Error> refuse_over_limit(const UserFileUse& before, const UserFileUse& after) {
  auto refused = fail(ErrorCode::refused,
                      "user.md has " + before.summary() + " characters, and this would make it " + with_thousands(after.used),
                      advice_to_make_room(before.entries));
  refused.error().file = user_file_name;
  return refused;
}

std::string id_at(const std::string& before, const std::string& after, std::string_view id) {
  const ParsedFile old_file = parse(before), new_file = parse(after);
  const auto found = std::ranges::find(old_file.entries, id, &ParsedEntry::id);
  const size_t index = static_cast<size_t>(found - old_file.entries.begin());
  return index < new_file.entries.size() ? new_file.entries[index].id : std::string(id);
}

}  // namespace

std::string UserFileUse::summary() const {
  return std::to_string(limit == 0 ? 0 : used * 100 / limit) + "% - " + with_thousands(used) + '/' + with_thousands(limit);
}

std::string advice_to_make_room(std::vector<UserFileUse::Entry> entries) {
  constexpr size_t named = 5;
  if (entries.empty()) return "say it in fewer words";
  std::ranges::stable_sort(entries, std::ranges::greater(), &UserFileUse::Entry::characters);
  std::string advice = "shorten or remove an entry first; the largest are";
  for (size_t i = 0; i < std::min(named, entries.size()); ++i) advice += (i == 0 ? " " : "; ") + name_of(entries[i]);
  return advice;
}

UserFileUse measure_user_file(std::string_view bytes) {
  UserFileUse use;
  const std::string text = prompt_text(bytes);
  use.used = count_code_points(text);
  for (ParsedEntry& entry : parse(bytes).entries)
    use.entries.push_back({entry.id, entry.line, count_code_points(entry.text), std::move(entry.text)});
  CutText cut = cut_at_lines(text, use.limit);
  use.injected = std::move(cut.text);
  use.lost = std::move(cut.lost);
  return use;
}

Result<UserFileUse> user_file_use(const Vault& vault) {
  const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(user_file_name), file_bytes_limit));
  return measure_user_file(bytes.value_or(""));
}

Result<std::string> edited_user_file(std::string_view bytes, const EditUserFile& edit) {
  auto after = TRY(edit(std::string(bytes)));
  const UserFileUse use_before = measure_user_file(bytes), use_after = measure_user_file(after);
  if (use_after.over_limit() && use_after.used >= use_before.used) return refuse_over_limit(use_before, use_after);
  return after;
}

Result<RewordedUserFile> reworded_user_file(std::string_view bytes, std::string_view id, std::string_view text) {
  auto after = TRY(edited_user_file(bytes, [&](const std::string& before) { return replace_entry_text(before, id, text); }));
  std::string new_id = id_at(std::string(bytes), after, id);
  return RewordedUserFile{std::move(after), std::move(new_id)};
}

Status edit_user_file(const Vault& vault, const EditUserFile& edit) {
  const auto change = [&](std::string_view bytes) { return edited_user_file(bytes, edit); };
  TRY(change_file(vault, user_file_name, change, IfMissing::create));
  return {};
}

Result<std::string> add_to_user_file(const Vault& vault, Metadata metadata, std::string_view text, std::string_view section) {
  if (auto done = edit_user_file(vault, [&](const std::string& bytes) { return insert_entry(bytes, metadata, text, section); });
      !done)
    return std::unexpected(done.error());
  return metadata.id;
}

Result<std::string> update_in_user_file(const Vault& vault, std::string_view id, std::string_view text) {
  std::string new_id;
  const auto change = [&](std::string_view bytes) -> Result<std::string> {
    auto reworded = TRY(reworded_user_file(bytes, id, text));
    new_id = std::move(reworded.id);
    return std::move(reworded.bytes);
  };
  TRY(change_file(vault, user_file_name, change, IfMissing::create));
  return new_id;
}

}  // namespace loci
