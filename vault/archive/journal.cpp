#include "vault/archive/journal.h"

#include <algorithm>
#include <set>

#include "vault/logs/json_lines.h"

namespace loci {
namespace {

// An entry of 1 MiB whose every byte needs six in JSON, with room to spare.
constexpr JsonLimits line_limits{.bytes = size_t{32} << 20, .depth = 4};

path journal_folder(const Vault& vault) { return vault.state_folder() / "journal"; }

Json to_json(const JournalRecord& record) {
  Json line = Json::object();
  line.add_unchecked("id", record.id);
  line.add_unchecked("at", format_rfc3339(record.at));
  line.add_unchecked("file", record.file);
  line.add_unchecked("offset", record.offset);
  line.add_unchecked("bytes", record.bytes);
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
  const std::string* head = line.string_at("head");
  return JournalRecord{.id = *id,
                       .at = *instant,
                       .file = *file,
                       .offset = static_cast<std::uint64_t>(*offset->as_integer()),
                       .bytes = *bytes,
                       .head = head ? *head : std::string()};
}

std::vector<path> journal_files(const Vault& vault) {
  std::vector<path> files;
  std::error_code ignored;  // no folder: nothing was journalled yet
  for (const auto& item : std::filesystem::directory_iterator(journal_folder(vault), ignored))
    if (item.path().extension() == ".jsonl") files.push_back(item.path());
  std::ranges::sort(files);
  return files;
}

// A day's file may go once its last moment is older than what is kept.
Status prune(const Vault& vault) {
  const Instant oldest = vault.clock().now() - journal_keeps;
  for (const path& file : journal_files(vault)) {
    const auto day_end = parse_time_end(file.stem().string());
    if (!day_end || *day_end > oldest) continue;
    TRY(vault.files().remove(file));
  }
  return {};
}

struct Contents {
  std::vector<JournalRecord> records;
  std::set<std::string, std::less<>> withdrawn;
};

void read_lines(std::string_view bytes, Contents& contents) {
  visit_json_lines(bytes, line_limits, [&](int, const Json* line) {
    if (!line) return;
    if (auto record = parse_record(*line)) contents.records.push_back(std::move(*record));
    if (const std::string* id = line->string_at("withdrawn")) contents.withdrawn.insert(*id);
  });
}

Status write_line(const Vault& vault, const Json& line) {
  const path file = journal_folder(vault) / (utc_date(vault.clock().now()) + ".jsonl");
  const auto is_new = TRY(append_json_line(vault.files(), file, line));
  return is_new ? prune(vault) : Status{};
}

}  // namespace

Status write_journal(const Vault& vault, const JournalRecord& record) { return write_line(vault, to_json(record)); }

Status withdraw_from_journal(const Vault& vault, const JournalRecord& record) {
  Json line = Json::object();
  line.add_unchecked("withdrawn", record.id);
  return write_line(vault, line);
}

Result<std::vector<JournalRecord>> read_journal(const Vault& vault) {
  Contents contents;
  for (const path& file : journal_files(vault)) {
    const auto bytes = TRY(read_file_if_any(vault.files(), file));
    if (bytes) read_lines(*bytes, contents);
  }
  const Instant oldest = vault.clock().now() - journal_keeps;
  std::erase_if(contents.records,
                [&](const JournalRecord& record) { return record.at < oldest || contents.withdrawn.contains(record.id); });
  std::ranges::stable_sort(contents.records, {}, &JournalRecord::at);
  return std::move(contents.records);
}

}  // namespace loci
