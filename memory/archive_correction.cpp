#include "memory/archive_correction.h"

#include <optional>
#include <set>

#include "memory/file_changes.h"
#include "memory/promoted_lines.h"
#include "memory/removal.h"
#include "memory/successor.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

// Whether somebody reads what else was made of the old version.
enum class Told : std::uint8_t { author, nobody };

// The new version of a fact takes over what loci had made of the old one: the first of those entries says the new text from now on,
// others go, and what else they rested on is pending again.
class Succession {
 public:
  // `fact`: as `changes` are about to append it.
  Succession(Memory& memory, const Chronicle& chronicle, const Entry& old, DecidedChanges& changes, const Appended& fact,
             const std::string& text, const Author& author, Told told)
      : memory_(memory),
        chronicle_(chronicle),
        old_(old),
        changes_(changes),
        fact_(fact),
        text_(text),
        author_(author),
        told_(told) {}

  Status replace(const FoldedEntries& folded, Corrected& corrected) {
    const Instant at = next_tombstone_time(memory_.vault(), chronicle_.logs());
    tombstones_.push_back(retired(old_, text_, at, author_, fact_.id));
    for (const auto* entries : {&folded.gone, &folded.apart})
      for (const Entry& entry : *entries) {
        if (!home_) home_ = entry;
        if (!chronicle_.is_removed(entry.id)) tombstones_.push_back(retired(entry, text_, at, author_, successor().id));
      }
    for (const std::string& id : folded.overtaken)  // by id alone, and for good: who says the same elsewhere still says it
      tombstones_.push_back({at + std::chrono::milliseconds(1), id, {}, Tombstone::Reason::corrected, author_.by, {}});
    ledger_ = TRY(lines_that_let_go(memory_, chronicle_, folded.apart, TRY(settled_with_old()), "correct-" + fact_.id,
                                    "a fact that it rested on was corrected"));
    plan_files(folded, corrected);
    return carry_out(corrected);
  }

  // The text is the same: what was made of it stays, and rests on the new version.
  Status move_over(const FoldedEntries& folded, Corrected& corrected) {
    const Vault& vault = memory_.vault();
    tombstones_.push_back(retired(old_, text_, next_tombstone_time(vault, chronicle_.logs()), author_, fact_.id));
    for (const auto* entries : {&folded.gone, &folded.apart, &folded.kept})
      for (const Entry& entry : *entries) {
        TRY(rest_on_others(changes_, entry, {old_.id}, fact_.id));
        Metadata same;
        same.id = entry.id;
        ledger_.push_back(settled_by(vault, chronicle_, fact_, same));
        ledger_.back().entry_hash = entry.hash;
      }
    return carry_out(corrected);
  }

 private:
  Status carry_out(Corrected& corrected) {
    const auto appended = TRY(changes_.carry_out(tombstones_, ledger_, corrected.files, corrected.notes));
    corrected.file = appended.front().file;
    corrected.line = appended.front().line;
    for (const Tombstone& tombstone : tombstones_) corrected.replaced.push_back(tombstone.id);
    return {};
  }

  void plan_files(const FoldedEntries& folded, Corrected& corrected) {
    for (const auto* entries : {&folded.gone, &folded.apart})
      for (const Entry& entry : *entries) entry.id == home_->id ? replace_home(corrected) : changes_.take_out(entry);
    for (const Entry& entry : folded.kept) {
      if (told_ == Told::nobody && entry.edited) continue;
      const EntryPlace& place = entry.places.front();
      corrected.notes.push_back(place.file + ":" + std::to_string(place.line) + " rested on it too, but its words are yours: '" +
                                entry.id + "' stays as it is");
      if (const auto planned = rest_on_others(changes_, entry, {old_.id}); !planned)
        corrected.notes.push_back("'" + entry.id + "' still names what was corrected: " + planned.error().message);
    }
  }

  // What the old version had overruled does not come back with its correction.
  Result<std::set<std::string>> settled_with_old() const {
    auto facts = TRY(facts_overruled_by(memory_, chronicle_, old_));
    facts.insert(old_.id);
    return facts;
  }

  Metadata successor() const { return successor_metadata(*home_, fact_, author_); }

  void replace_home(Corrected& corrected) {
    const Vault& vault = memory_.vault();
    const std::string& file = home_->places.front().file;
    const auto placed =
        changes_.change(file, [&](std::string_view bytes) { return with_successor(vault, *home_, bytes, successor(), text_); });
    if (!placed) {
      corrected.notes.push_back("the wrong text still stands in " + file + ": " + placed.error().message);
      return;
    }
    changes_.take_out_copies(*home_);
    ledger_.push_back(settled_by(vault, chronicle_, fact_, successor()));
  }

  Memory& memory_;
  const Chronicle& chronicle_;
  const Entry& old_;
  DecidedChanges& changes_;
  const Appended& fact_;
  const std::string& text_;
  const Author& author_;
  const Told told_;
  std::optional<Entry> home_;  // whose place the new text takes
  std::vector<Tombstone> tombstones_;
  std::vector<LedgerEntry> ledger_;
};

Result<Corrected> take_over(Memory& memory, const Entry& old, NewEntry next, const Author& author, bool is_other_text, Told told) {
  const std::string text = next.text;
  DecidedChanges changes(memory.vault());
  const auto fact = TRY(changes.append(std::move(next)));
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  const auto folded = TRY(folded_entries(memory, {old.id}));
  Succession succession{memory, chronicle, old, changes, fact, text, author, told};
  Corrected corrected{fact.id, {}, 0, {}, {}, {}, {}};
  note_what_stays(old, corrected.notes);
  for (const auto* entries : {&folded.gone, &folded.apart, &folded.kept})
    corrected.touched.insert(corrected.touched.end(), entries->begin(), entries->end());
  TRY(is_other_text ? succession.replace(folded, corrected) : succession.move_over(folded, corrected));
  auto files = corrected.files;
  files.push_back(corrected.file);
  corrected.searchable = make_searchable(memory, files);
  bring_lines_in_step(memory, {.reworded = [&] { return author.lines; }}, corrected.files, corrected.notes);
  return corrected;
}

}  // namespace

Result<Corrected> replace_in_archive(Memory& memory, const Entry& old, const Edit& change, const Author& author) {
  Metadata metadata = inherited(old);
  metadata.kind = old.kind;
  metadata.role = old.role;
  metadata.confidence = old.confidence;
  metadata.source = author.source;
  metadata.corrects = old.id;
  if (change.tags) metadata.tags = *change.tags;
  NewEntry next{std::move(metadata), change.text.value_or(old.text)};
  return take_over(memory, old, std::move(next), author, change.text.has_value(), Told::author);
}

Result<Corrected> replace_in_archive(Memory& memory, const Entry& old, NewEntry next, const Author& author) {
  return take_over(memory, old, std::move(next), author, true, Told::nobody);
}

}  // namespace loci
