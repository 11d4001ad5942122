#include "vault/changes/file_transaction_note.h"

#include <algorithm>

#include "base/json.h"
#include "parser/parser.h"
#include "parser/writer.h"

namespace loci {
namespace {

constexpr const char* note_suffix = ".note";

path file_of(const Vault& vault, const std::string& id) { return transactions_folder(vault) / (id + note_suffix); }

template <typename Line>
std::string format_all(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) text += format(line);
  return text;
}

Result<std::string> markdown_of(const std::vector<NewEntry>& entries) {
  std::string markdown;
  for (const NewEntry& entry : entries) markdown += TRY(write_entry(entry.metadata, entry.text)) + '\n';
  return markdown;
}

std::vector<NewEntry> entries_in(std::string_view markdown) {
  std::vector<NewEntry> entries;
  for (ParsedEntry& entry : parse(markdown).entries) {
    if (!entry.metadata) continue;
    const bool undated = !entry.metadata->at;
    entries.push_back({.metadata = std::move(*entry.metadata), .text = std::move(entry.text), .undated = undated});
  }
  return entries;
}

// Takes the next part off the bytes; none if there are fewer.
std::optional<std::string> take(std::string_view& bytes, const Json& head, std::string_view key) {
  const Json* size = head.find(key);
  if (!size || !size->as_integer()) return std::nullopt;
  const size_t count = head.count_at(key);
  if (count > bytes.size()) return std::nullopt;
  std::string part(bytes.substr(0, count));
  bytes.remove_prefix(count);
  return part;
}

std::optional<FileChange> take_file(std::string_view& bytes, const Json& head) {
  FileChange change{head.text_at("file"), take(bytes, head, "before"), {}};
  auto after = take(bytes, head, "after");
  const bool was_there = head.find("before") != nullptr;
  if (!after || change.file.empty() || was_there != change.before.has_value()) return std::nullopt;
  change.after = std::move(*after);
  return change;
}

std::optional<FileTransaction> parse_note(std::string_view bytes, const std::string& id) {
  const size_t end = bytes.find('\n');
  const auto head = end == std::string_view::npos ? std::unexpected(Error{}) : parse_json(bytes.substr(0, end));
  if (!head) return std::nullopt;
  bytes.remove_prefix(end + 1);
  FileTransaction transaction{.id = id};
  if (head->text_at("order") == "logs") transaction.order = FileTransaction::Order::logs_first;
  for (const Json& file : head->array_at("files")) {
    auto change = take_file(bytes, file);
    if (!change) return std::nullopt;
    transaction.files.push_back(std::move(*change));
  }
  const auto entries = head->find("entries") ? take(bytes, *head, "entries") : std::string(),  // none: an earlier version's note
      tombstones = take(bytes, *head, "tombstones"), ledger = take(bytes, *head, "ledger");
  if (!entries || !tombstones || !ledger || !bytes.empty()) return std::nullopt;
  transaction.entries = entries_in(*entries);
  transaction.tombstones = parse_tombstones(*tombstones, id).lines;
  LedgerFile lines = parse_ledger(*ledger, id);
  transaction.ledger = std::move(lines.lines);
  if (!lines.promotions.empty()) transaction.promotion = std::move(lines.promotions.front());
  return transaction;
}

}  // namespace

path transactions_folder(const Vault& vault) { return vault.state_folder() / "transactions"; }

Status write_note(const Vault& vault, const FileTransaction& transaction) {
  const std::string entries = TRY(markdown_of(transaction.entries));
  const std::string tombstones = format_all(transaction.tombstones),
                    ledger =
                        format_all(transaction.ledger) + (transaction.promotion ? format(*transaction.promotion) : std::string());
  Json files = Json::array();
  std::string bytes;
  for (const FileChange& change : transaction.files) {
    Json file = Json::Object{{"file", change.file}};
    if (change.before) file.set("before", std::uint64_t{change.before->size()});
    file.set("after", std::uint64_t{change.after.size()});
    files.push_back(std::move(file));
    bytes += change.before.value_or(std::string()) + change.after;
  }
  const Json head = Json::Object{{"order", transaction.order == FileTransaction::Order::files_first ? "files" : "logs"},
                                 {"files", std::move(files)},
                                 {"entries", std::uint64_t{entries.size()}},
                                 {"tombstones", std::uint64_t{tombstones.size()}},
                                 {"ledger", std::uint64_t{ledger.size()}}};
  return write_file(vault.files(), file_of(vault, transaction.id), to_string(head) + '\n' + bytes + entries + tombstones + ledger);
}

Result<FileTransaction> read_note(const Vault& vault, const std::string& id) {
  const path file = file_of(vault, id);
  const auto bytes = TRY(read_file(vault.files(), file));
  auto transaction = parse_note(bytes, id);
  if (!transaction)
    return fail(ErrorCode::failed, file.string() + " is damaged: what it was to finish cannot be told",
                "look at it, then remove it; 'loci doctor' checks the rest");
  return std::move(*transaction);
}

// Not synced: one that comes back after a crash tells of what is done, or was not begun.
Status remove_note(const Vault& vault, const std::string& id) { return vault.files().remove(file_of(vault, id)); }

bool has_note(const Vault& vault, const std::string& id) {
  std::error_code error;
  return std::filesystem::exists(file_of(vault, id), error);
}

void remove_unfinished_notes(const Vault& vault) {
  std::error_code error;
  for (const auto& item : std::filesystem::directory_iterator(transactions_folder(vault), error))
    if (item.path().extension() != note_suffix) (void)vault.files().remove(item.path());
}

Result<std::vector<std::string>> noted_transactions(const Vault& vault) {
  std::vector<std::string> ids;
  std::error_code error;
  for (std::filesystem::directory_iterator it(transactions_folder(vault), error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == note_suffix) ids.push_back(it->path().stem().string());
  if (error && error != std::errc::no_such_file_or_directory)
    return fail_errno("read", transactions_folder(vault).string(), error.value());
  std::ranges::sort(ids);
  return ids;
}

}  // namespace loci
