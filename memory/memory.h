// A vault and its index, opened: everything that a person or an agent does to a memory. The command line, and later the daemon,
// are thin layers over this; the operations stand beside it by topic (memory/add.h, memory/forget.h, …).
//
// Files are the truth: an operation writes files first and then asks the index to look at them. A read never waits for another
// process and says how fresh its answer is; a write waits for the writer lock up to `write_patience`, and what it appended is
// durable before it does. One thread at a time.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"
#include "indexer/index_reader.h"
#include "indexer/indexer.h"
#include "memory/freshness.h"
#include "memory/index_keeper.h"
#include "vault/layout/vault.h"

namespace loci {

inline constexpr std::chrono::milliseconds write_patience{10'000};

class Memory {
 public:
  // Says who may keep the index of a vault; null for nobody.
  using FindKeeper = std::function<std::shared_ptr<IndexKeeper>(const Vault&)>;

  // Fails like Vault::open. Touches no index yet. Whom `keeper` names is asked to write the index while the writer lock is held.
  static Result<Memory> open(const path& root, const Environment& environment, FileSystem& files, const Clock& clock,
                             const FindKeeper& keeper = {});

  // On a vault that is open already, with its settings as they were read then.
  static Memory on(Vault vault, std::shared_ptr<IndexKeeper> keeper) { return Memory(std::move(vault), std::move(keeper)); }

  const Vault& vault() const { return *vault_; }
  Instant now() const { return vault_->clock().now(); }

  // For a read: a stat sweep without a lock; if something changed and no other process is writing, the index takes it in.
  // Fails only if there is no index to answer from: ErrorCode::locked while another process is building the first one.
  // `meanwhile` may ask the index while the sweep goes on; what it was told holds if the reader it was given is still reader().
  Result<Freshness> bring_up_to_date(const ProgressCallback& progress = {},
                                     const std::function<void(IndexReader&)>& meanwhile = {});

  // For what decides by the whole index and writes then: bring_up_to_date(), but what another process or thread keeps and holds
  // back because it is being saved is waited for. ErrorCode::locked after half a minute.
  Status catch_up();
  // The same for what a person's save makes decide: where the index is kept in this process, a vault of which no change is known to
  // wait is not gone through.
  Status catch_up_with_changes();
  // Only whoever keeps the index holds back what is being saved: waits until nothing is, as above. Without one nothing is done.
  Status wait_for_saves();

  // For a write: waits for the lock up to `patience`, ErrorCode::locked after it. Empty `written`: a full reconcile. Without a
  // daemon, what somebody cut off the archive comes back then (memory/lost_appends.h).
  Result<ReconcileReport> take_in(const std::vector<std::string>& written, std::chrono::milliseconds patience = write_patience);

  // Makes the index equal to the files, or anew from nothing.
  Result<ReconcileReport> reindex(bool clear, const ProgressCallback& progress = {});

  // The snapshot of the last successful call of one of the above; opens one if there was none.
  Result<IndexReader*> reader();

  // The index changed behind this one's back: the next reader() shows its newest state.
  void drop_reader();

  // Runs a question on the reader. If the index turns out to be damaged it is rebuilt from the files and asked once more.
  template <typename Answer>
  Result<Answer> ask(const std::function<Result<Answer>(IndexReader&)>& question) {
    auto first = TRY(reader());
    auto answer = question(*first);
    if (answer || answer.error().code != ErrorCode::failed) return answer;
    TRY(rebuild_damaged(answer.error()));
    auto second = TRY(reader());
    return question(*second);
  }

  // bring_up_to_date() and ask(), in little more than the time of the longer one: the question is put while the sweep goes on,
  // and once more if that finds that anything changed.
  template <typename Answer>
  Result<std::pair<Answer, Freshness>> ask_fresh(const std::function<Result<Answer>(IndexReader&)>& question,
                                                 const ProgressCallback& progress = {}) {
    std::optional<Result<Answer>> early;
    auto freshness = TRY(bring_up_to_date(progress, [&](IndexReader& reader) { early = question(reader); }));
    const bool holds = early && *early && reader_;
    auto answer = TRY(holds ? std::move(*early) : ask<Answer>(question));
    return std::pair(std::move(answer), std::move(freshness));
  }

 private:
  Memory(Vault vault, std::shared_ptr<IndexKeeper> keeper)
      : vault_(std::make_unique<Vault>(std::move(vault))), keeper_(std::move(keeper)) {}
  Status rebuild_damaged(const Error& error);
  void confirm();
  void take_in_what_comes_back(Indexer& indexer);
  Result<Freshness> build_first_index(const ProgressCallback& progress);
  Result<Freshness> take_in_stale(std::vector<std::string> stale, const ProgressCallback& progress);
  Result<ReconcileReport> write_index(const std::function<Result<ReconcileReport>(Indexer&)>& by_itself,
                                      const std::function<Result<ReconcileReport>(IndexKeeper&)>& by_keeper,
                                      std::chrono::milliseconds patience);

  std::unique_ptr<Vault> vault_;         // on the heap: indexer and reader may refer to it while this moves
  std::shared_ptr<IndexKeeper> keeper_;  // null: nobody else writes for us
  std::optional<IndexReader> reader_;
  bool reader_is_released_ = false;  // its snapshot was let go
};

// The entry with this id or unique prefix of one. ErrorCode::not_found with a hint; ErrorCode::usage with the candidates if
// there are several. With `inactive` also what was forgotten or corrected.
Result<Entry> find_entry(Memory& memory, const std::string& id_or_prefix, bool inactive = false);

// The entry with exactly this id, active or not, if the index has one.
Result<std::optional<Entry>> entry_with_id(Memory& memory, const std::string& id);

}  // namespace loci
