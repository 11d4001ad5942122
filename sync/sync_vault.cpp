#include "sync/sync_vault.h"

#include <algorithm>
#include <iterator>

#include "base/log.h"
#include "edits/understand.h"
#include "memory/unfinished_changes.h"
#include "sync/sync_record.h"

namespace loci {
namespace {

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

}  // namespace

Result<Synced> sync_vault(Memory& memory, const ExchangeOptions& options) {
  Synced synced;
  if (!options.dry_run) {
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
