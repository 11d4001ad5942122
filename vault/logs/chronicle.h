// What the logs of all machines together say: what became of an id, which text was removed, what a run wrote, which lines of the
// core are loci's own. It asks no file: whether an entry still stands where the logs say is the index's to tell. A value that never
// changes; any number of threads may ask one. Making it costs the size of the logs, asking it does not: whoever asks again and
// again keeps a KnownChronicle.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/synchronized.h"
#include "vault/layout/vault.h"
#include "vault/logs/vault_logs.h"

namespace loci {

struct Fate {
  enum class Kind : std::uint8_t {
    pending,    // the logs neither settle nor end it; so of an id that they do not name
    settled,    // a fact, into the entry `into`; empty: a run decided to ignore it
    merged,     // an entry, into the entry `into`
    undone,     // an entry that went with the run that had made it
    deleted,    // by `tombstone`
    corrected,  // by `tombstone`, and `into` took its place
  };
  Kind kind = Kind::pending;
  std::string_view into;
  bool demoted = false;                  // a person took its line out of the core, and nobody has restored it since
  const Tombstone* tombstone = nullptr;  // the latest one that decides: removes it, or says that it was restored
  const LedgerEntry* line = nullptr;     // the latest one of the id in the present generation

  bool is_removed() const { return kind == Kind::deleted || kind == Kind::corrected; }
};

// A line that loci wrote into the core: as the latest promotion has it that names its ref, whichever machine wrote that.
struct CoreLineWritten {
  std::string_view line_hash;
  std::string_view run;
  std::int64_t generation = 0;
  Instant at;
  bool stands = true;  // no later promotion took it out
};

class Chronicle {
 public:
  static Result<Chronicle> read(const Vault& vault);
  explicit Chronicle(VaultLogs logs);
  Chronicle(Chronicle&&) = default;  // the answers point into its lines
  Chronicle& operator=(Chronicle&&) = default;
  Chronicle(const Chronicle&) = delete;
  Chronicle& operator=(const Chronicle&) = delete;

  const VaultLogs& logs() const { return logs_; }

  // --- an id ---
  // With a text's hash, lines that settled another text of the fact do not count.
  Fate fate_of(std::string_view id, std::string_view text_hash = {}) const;
  const Tombstone* tombstone_of(std::string_view id) const;  // the latest that decides, `restored` too; null: none
  bool is_removed(std::string_view id) const;
  bool is_demoted(std::string_view id) const { return demoted_.contains(id); }
  std::vector<std::string> removed_ids() const;   // sorted
  std::vector<std::string> restored_ids() const;  // sorted: removed once, and taken back
  // With what their lines said: a rebuild gives an entry another id, and its text stays demoted.
  const std::map<std::string_view, std::string_view>& demoted() const { return demoted_; }
  // When the text was last removed under any id that is still removed with it. With its loose hash, also a text that differs from
  // it in marks only.
  std::optional<Instant> text_removed_at(std::string_view text_hash, std::string_view loose_hash = {}) const;
  // The id is, or its text by somebody who ends texts (ends_its_text) under whatever id; what was restored outlives what had ended
  // its text before.
  bool is_removed(std::string_view id, std::string_view text_hash) const;
  // The ids whose removal names this one as what took their place.
  std::vector<std::string_view> replaced_by(std::string_view id) const;
  // It went because what it had taken the place of was restored: that is not made of it.
  bool gave_way(std::string_view id) const;
  // What corrections put in its place since it was last restored: several if machines did not know of each other. Sorted.
  const std::set<std::string_view>& successors_of(std::string_view id) const;

  // Ids that were corrected more than once, by machines that did not know of each other, with what took their place: sorted, each
  // once. Whether these still stand, and differ, is the index's to tell.
  struct Corrections {
    std::string id;
    std::vector<std::string> by;
  };
  std::vector<Corrections> corrected_twice() const;

  // --- facts and the entries that they went into ---
  // The highest that is whole; 0 if the ledger is empty. What a rebuild has settled so far does not count.
  std::int64_t generation() const { return generation_; }
  // Of the present generation, quarantined facts left out. Null: none; with a hash: none for that text.
  const LedgerEntry* latest_line(std::string_view fact) const;
  const LedgerEntry* latest_line(std::string_view fact, std::string_view text_hash) const;
  // All generations, by time.
  const std::vector<const LedgerEntry*>& lines_of_fact(std::string_view fact) const;
  // The last of them, of whatever generation, that put the fact into this entry; null: none did.
  const LedgerEntry* line_that_settled(std::string_view fact, std::string_view entry) const;
  const std::vector<const LedgerEntry*>& lines_of_entry(std::string_view entry) const;  // that name it as `entry` or as `into`
  std::vector<std::string_view> entries_made_of(std::string_view fact) const;           // all generations, each once
  // Facts of another entry that went into this one, by a run or by a person's hand, and rest there now: sorted.
  std::set<std::string_view> facts_merged_into(std::string_view entry) const;
  // One of the facts that went into this entry and has not ended says this, and the entry names it in `from`.
  bool says_standing_fact(std::string_view entry, std::string_view text_hash, const std::vector<std::string>& from) const;
  // The text that loci wrote last under this entry's id; empty if it wrote none.
  std::string_view text_written(std::string_view entry) const;

  // loci itself, here or elsewhere, made an entry go: by name, by a merge, with its run, or by a rebuild of the ledger.
  bool explains_removal(std::string_view entry) const;
  // loci itself wrote this text there last.
  bool explains_text(std::string_view entry, std::string_view text_hash) const {
    return !text_hash.empty() && text_written(entry) == text_hash;
  }

  // The entry that it gave way to, which was written with its very words: machines had made it twice. Empty: to none.
  std::string_view twin_of(std::string_view entry) const;

  // loci wrote this text there at some time.
  bool has_written(std::string_view entry, std::string_view text_hash) const;

  // --- runs ---
  const std::vector<const LedgerEntry*>& lines_of_run(std::string_view run) const;
  std::set<std::string> entries_of_run(std::string_view run) const;
  std::string_view last_run() const;  // empty: none

  // --- the core ---
  const std::map<std::string_view, CoreLineWritten>& promoted() const { return promoted_; }  // by ref
  // The latest promotion of the ref wrote this line, whichever machine that was. Any other wording is a person's.
  bool has_promoted(std::string_view ref, std::string_view line_hash) const;
  // It wrote another one.
  bool has_promoted_otherwise(std::string_view ref, std::string_view line_hash) const;
  // Some promotion wrote this line, however long ago.
  bool ever_promoted(std::string_view ref, std::string_view line_hash) const;
  // No run wrote these words there: the line followed its entry, which somebody else gave them.
  bool only_followed(std::string_view ref, std::string_view line_hash) const;
  // Some promotion has written this line at that time or later, and perhaps others since.
  bool has_promoted_since(std::string_view ref, std::string_view line_hash, Instant time) const;
  // loci itself took the line out: with its entry, with what it said, by a later promotion, or a person had demoted it.
  bool explains_line_removal(std::string_view ref) const;
  // The refs whose lines the latest promotion wrote anew.
  std::set<std::string> newly_promoted() const;

 private:
  using Lines = std::unordered_map<std::string_view, std::vector<const LedgerEntry*>>;

  void note_tombstones();
  void note_generations();
  void note_ledger();
  void note_promotions();
  const LedgerEntry* latest_of_entry(std::string_view entry) const;

  VaultLogs logs_;
  std::unordered_map<std::string_view, const Tombstone*> tombstones_;  // the deciding one of each id
  std::map<std::string_view, std::string_view> demoted_;               // id -> hash of the text that its line had
  std::unordered_map<std::string_view, Instant> removed_texts_, ended_texts_, loosely_removed_;  // by hash
  std::unordered_map<std::string_view, std::vector<std::string_view>> replaced_by_;
  std::set<std::pair<std::string_view, Instant>> restored_;
  std::map<std::string_view, std::set<std::string_view>> successors_;
  std::int64_t generation_ = 0;
  Lines by_fact_, by_entry_, by_run_;
  std::unordered_map<std::string_view, std::string_view> texts_;  // entry -> the hash that was written last
  std::map<std::string_view, CoreLineWritten> promoted_;
  std::map<std::pair<std::string_view, std::string_view>, Instant> last_promoted_;  // by ref and line_hash
};

// The chronicle of a vault, read anew only when a log changed. Any thread may ask.
class KnownChronicle {
 public:
  Result<std::shared_ptr<const Chronicle>> of(const Vault& vault);

 private:
  struct Known {
    std::string logs;  // their signature
    std::shared_ptr<const Chronicle> chronicle;
  };
  Synchronized<Known> known_;
};

}  // namespace loci
