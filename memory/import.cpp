#include "memory/import.h"

#include <algorithm>

#include "memory/archive_correction.h"
#include "memory/import_plan.h"
#include "memory/metadata_of.h"
#include "memory/private_tag.h"
#include "memory/unfinished_changes.h"
#include "parser/entry_edit.h"
#include "parser/entry_edits.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

constexpr const char* consolidated_file = "consolidated/memory.md";
constexpr std::chrono::days ahead{1};  // of a clock that is not ours

// Dates that have not come yet.
class Dates {
 public:
  explicit Dates(Instant now) : now_(now), today_(utc_date(now)), latest_(utc_date(now + ahead)) {}

  void bring_back(Metadata& metadata) const {
    if (metadata.at && *metadata.at > now_ + ahead) metadata.at = now_;
    bring_back(metadata.first_seen);
    bring_back(metadata.updated);
    for (std::string& day : metadata.sources) bring_back(day);
  }

 private:
  void bring_back(std::string& day) const {
    if (day.size() == today_.size() && day > latest_) day = today_;
  }

  const Instant now_;
  const std::string today_, latest_;
};

Metadata metadata_in_file(const ExportedEntry& one) { return one.metadata ? *one.metadata : metadata_of(one.entry); }

NewEntry archived(const ExportedEntry& one, const Dates& dates) {
  Metadata metadata = metadata_in_file(one);
  metadata.id = one.entry.id;
  metadata.at = one.entry.at;
  metadata.source = one.entry.source;  // as it was believed: of words that a person had changed, a person's
  // These belong to durable entries and to lines of the core; a fact in the archive has none.
  metadata.first_seen.clear();
  metadata.updated.clear();
  metadata.sources.clear();
  metadata.from.clear();
  metadata.ref.clear();
  dates.bring_back(metadata);
  const bool undated = !metadata.at;
  return {.metadata = std::move(metadata), .text = one.entry.text, .undated = undated};
}

// Adds the files to `written`.
Status archive(const Vault& vault, const std::vector<ExportedEntry>& entries, std::set<std::string>& written) {
  const Dates dates(vault.clock().now());
  std::vector<NewEntry> all;
  all.reserve(entries.size());
  for (const ExportedEntry& one : entries) all.push_back(archived(one, dates));
  for (const Appended& one : TRY(append_entries(vault, std::move(all)))) written.insert(one.file);
  return {};
}

// What a person had changed keeps the `sum` of what loci wrote: so it is told here too that it is a person's.
Result<std::string> with_sums(std::string bytes, const std::vector<ExportedEntry>& entries) {
  for (const ExportedEntry& one : entries)
    if (one.entry.edited) bytes = TRY(set_entry_sum(bytes, one.entry.id, one.metadata->sum));
  return bytes;
}

Status consolidate(const Vault& vault, const std::vector<ExportedEntry>& entries) {
  if (entries.empty()) return {};
  const Dates dates(vault.clock().now());
  std::vector<EntryEdit> edits;
  for (const ExportedEntry& one : entries) {
    EntryEdit& edit = edits.emplace_back(EntryEdit::Kind::append, one.entry.id, metadata_in_file(one), one.entry.text);
    dates.bring_back(edit.metadata);
  }
  TRY(change_file(
      vault, consolidated_file,
      [&](std::string_view before) -> Result<std::string> {
        const std::string bytes(before.empty() ? "# Memory\n" : before);
        auto edited = TRY(apply_entry_edits(bytes, parse(bytes), edits));
        return with_sums(std::move(edited.bytes), entries);
      },
      IfMissing::create));
  return {};
}

// One by one: what was made of the older text goes with it.
Status update(Memory& memory, const std::vector<ImportPlan::Update>& updates, Imported& imported) {
  const Dates dates(memory.now());
  for (const ImportPlan::Update& one : updates) {
    const Entry old = TRY(find_entry(memory, one.old));
    NewEntry next = archived(one.entry, dates);
    next.metadata.corrects = old.id;
    const auto corrected = TRY(replace_in_archive(memory, old, std::move(next), {one.entry.entry.source, "agent"}));
    imported.searchable = corrected.searchable;
  }
  return {};
}

// Where an entry came from, it was hidden by its tag or by its place (memory/export.h).
size_t count_open(const Memory& memory, const ImportPlan& plan) {
  const OpenPrivateTag open_tag(memory.vault().config());
  size_t open = 0;
  const auto count = [&](const Entry& entry) { open += open_tag.is_on(entry.tags, entry.project, {}, entry.text) ? 1 : 0; };
  for (const auto* entries : {&plan.facts, &plan.consolidated})
    for (const ExportedEntry& one : *entries) count(one.entry);
  for (const ImportPlan::Update& one : plan.updates) count(one.entry.entry);
  for (const ImportedText& one : plan.own) open += open_tag.is_on(one.text.tags, {}, one.file, one.text.text) ? 1 : 0;
  return open;
}

void bring_back_dates(const Memory& memory, std::vector<ImportedText>& texts) {
  const Dates dates(memory.now());
  for (ImportedText& one : texts) {
    if (one.text.metadata) dates.bring_back(*one.text.metadata);
    dates.bring_back(one.text.metadata_if_needed);
  }
}

bool adds_nothing(const ImportPlan& plan) {
  return plan.facts.empty() && plan.consolidated.empty() && plan.own.empty() && plan.ledger.empty() && plan.updates.empty();
}

}  // namespace

std::string_view name_of(LeftOut::Why why) {
  switch (why) {
    case LeftOut::Why::deleted:
      return "deleted";
    case LeftOut::Why::corrected:
      return "corrected";
    case LeftOut::Why::purged:
      return "purged";
    case LeftOut::Why::rests_on_removed:
      return "rests-on-removed";
    case LeftOut::Why::kept_out:
      return "kept-out";
    case LeftOut::Why::changed:
      return "changed";
  }
  return "deleted";
}

Result<Imported> import_entries(Memory& memory, const std::vector<ExportedEntry>& entries, bool dry_run,
                                const std::set<std::string>& kept_out) {
  TRY(memory.bring_up_to_date());
  return import_batch(memory, entries, dry_run, kept_out);
}

Result<Imported> import_batch(Memory& memory, const std::vector<ExportedEntry>& entries, bool dry_run,
                              const std::set<std::string>& kept_out) {
  if (!dry_run) (void)finish_unfinished_changes(memory);  // what cannot be finished now stays noted
  ImportPlan plan = TRY(plan_import(memory, entries, kept_out));
  Imported imported;
  imported.found = entries.size();
  imported.known = plan.known;
  imported.archived = plan.facts.size();
  imported.consolidated = plan.consolidated.size();
  imported.updated = plan.updates.size();
  imported.open = count_open(memory, plan);
  imported.left_out = std::move(plan.left_out);
  imported.no_room = std::move(plan.no_room);
  for (const ImportedText& one : plan.own) ++imported.own[one.file];
  if (dry_run || adds_nothing(plan)) return imported;

  bring_back_dates(memory, plan.own);
  std::set<std::string> written;
  TRY(consolidate(memory.vault(), plan.consolidated));
  if (!plan.consolidated.empty()) written.insert(consolidated_file);
  TRY(append_ledger(memory.vault(), plan.ledger));
  TRY(write_own_files(memory.vault(), plan.own, written));
  TRY(archive(memory.vault(), plan.facts, written));
  imported.searchable = make_searchable(memory, {written.begin(), written.end()});
  TRY(update(memory, plan.updates, imported));
  return imported;
}

}  // namespace loci
