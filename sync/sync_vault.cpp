#include "sync/sync_vault.h"

#include <algorithm>
#include <iterator>

#include "base/log.h"
#include "base/stoppable_wait.h"
#include "edits/understand.h"
#include "memory/unfinished_changes.h"
#include "parser/core_file.h"
#include "sync/sync_record.h"
#include "vault/archive/suspect_files.h"
#include "vault/git/git_operation.h"

namespace loci {
namespace {

constexpr int most_looks = 5;  // at files that somebody saves all the time

void add(Understood understood, Synced& synced) {
  std::ranges::move(understood.said_twice, std::back_inserter(synced.removed));
  std::ranges::move(understood.pending, std::back_inserter(synced.pending));
  std::ranges::move(understood.restored, std::back_inserter(synced.restored));
  std::ranges::move(understood.ended, std::back_inserter(synced.ended));
}

size_t count_settled(const Synced& synced) {
  return synced.removed.size() + synced.pending.size() + synced.ended.size() + synced.restored.size();
}

Status take_in_what_came(Memory& memory, Synced& synced) {
  TRY(memory.take_in({}));
  add(TRY(understand(memory)), synced);
  TRY(finish_unfinished_changes(memory));
  return {};
}

// What somebody's save cut off the archive comes back, as after any write, by whoever keeps the index: after the commit it would
// look as if git had taken it. Of a file that may be in the middle of being saved that is told once it is at rest.
void bring_back_what_was_cut_off(Memory& memory, const std::stop_token& stop) {
  if (git_operation_around(memory.vault().root())) return;  // then no sync commits anything
  for (int look = 0; look < most_looks; ++look) {
    const auto suspects = suspect_files(memory.vault());
    if (!suspects || (suspects->files.empty() && !suspects->at_rest_in)) return;
    if (suspects->at_rest_in ? !wait_unless_stopped(*suspects->at_rest_in, stop) : !memory.take_in({core_file_name})) return;
  }
}

}  // namespace

Result<Synced> sync_vault(Memory& memory, const ExchangeOptions& options) {
  Synced synced;
  if (!options.dry_run) {
    bring_back_what_was_cut_off(memory, options.stop);
    (void)finish_unfinished_changes(memory);  // what cannot be finished now stays noted
    add(TRY(understand(memory)), synced);
  }
  synced.exchanged = TRY(exchange(memory.vault(), options));
  if (options.dry_run || synced.exchanged.received == GitDifference{}) return synced;
  const size_t before = count_settled(synced);
  if (const auto taken = take_in_what_came(memory, synced); !taken)
    log_warning("what came is here, but not taken in yet: " + taken.error().message);
  if (count_settled(synced) == before) return synced;
  // The others shall not have to wait for what was settled until the next time.
  if (const auto again = exchange(memory.vault(), options); !again)
    log_warning("what was settled is not sent yet: " + again.error().message);
  return synced;
}

Json synced_to_json(const Synced& synced, bool dry_run) {
  const Exchanged& done = synced.exchanged;
  Json value = Json::object();
  value.set("v", 1);
  value.set("remote", done.remote);
  value.set("branch", done.branch);
  value.set("commit", done.commit);
  value.set("sent", difference_to_json(done.sent));
  value.set("received", difference_to_json(done.received));
  value.set("conflicts", Json(done.conflicts));
  value.set("removed", Json(synced.removed));
  value.set("ended", Json(synced.ended));
  value.set("restored", Json(synced.restored));
  value.set("pending", Json(synced.pending));
  value.set("tries", std::int64_t{done.tries});
  value.set("dry_run", dry_run);
  return value;
}

}  // namespace loci
