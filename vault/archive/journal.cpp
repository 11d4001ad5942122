#include "vault/archive/journal.h"

#include <algorithm>
#include <set>

#include "vault/archive/day_log.h"
#include "vault/archive/tail_notes.h"

namespace loci {
namespace {

constexpr const char* journal_folder = "journal";  // of the state folder

Json to_json(const JournalRecord& record) {
  Json line = Json::object();
  line.add_unchecked("id", record.id);
  line.add_unchecked("at", format_rfc3339(record.at));
  line.add_unchecked("file", record.file);
  line.add_unchecked("offset", record.offset);
  line.add_unchecked("bytes", record.bytes);
  if (!record.behind.empty()) line.add_unchecked("behind", record.behind);
  if (!record.head.empty()) line.add_unchecked("head", record.head);
  return line;
}

std::optional<JournalRecord> parse_record(const Json& line) {
  const std::string *id = line.string_at("id"), *at = line.string_at("at"), *file = line.string_at("file"),
                    *bytes = line.string_at("bytes");
  const Json* offset = line.find("offset");
  if (!id || !at || !file || !bytes || !offset || !offset->as_integer()) return std::nullopt;
  const auto instant = parse_time(*at);
  if (!instant) return std::nullopt;
  return JournalRecord{.id = *id,
                       .at = *instant,
                       .file = *file,
                       .offset = static_cast<std::uint64_t>(*offset->as_integer()),
                       .bytes = *bytes,
                       .behind = line.text_at("behind"),
                       .head = line.text_at("head")};
}

Status write_line(const Vault& vault, const Json& line) {
  const auto is_first_of_day = TRY(append_to_day_log(vault, journal_folder, line));
  if (is_first_of_day) remove_tail_notes(vault, vault.clock().now() - day_log_keeps);
  return {};
}

}  // namespace

Status write_journal(const Vault& vault, const JournalRecord& record) { return write_line(vault, to_json(record)); }

Status withdraw_from_journal(const Vault& vault, const JournalRecord& record) {
  Json line = Json::object();
  line.add_unchecked("withdrawn", record.id);
  return write_line(vault, line);
}

Result<std::vector<JournalRecord>> read_journal(const Vault& vault) {
  std::vector<JournalRecord> records;
  std::set<std::string, std::less<>> withdrawn;
  TRY(visit_day_log(vault, journal_folder, [&](const Json& line) {
    if (auto record = parse_record(line)) records.push_back(std::move(*record));
    if (const std::string* id = line.string_at("withdrawn")) withdrawn.insert(*id);
  }));
  const Instant oldest = vault.clock().now() - day_log_keeps;
  std::erase_if(records, [&](const JournalRecord& record) { return record.at < oldest || withdrawn.contains(record.id); });
  std::ranges::stable_sort(records, {}, &JournalRecord::at);
  return records;
}

}  // namespace loci
