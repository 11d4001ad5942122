#include "sync/sync_vault.h"

#include <algorithm>
#include <iterator>

#include "base/log.h"
#include "edits/ended_elsewhere.h"
#include "edits/understand.h"
#include "memory/unfinished_changes.h"
#include "sync/new_ends.h"
#include "sync/sync_record.h"
#include "vault/logs/vault_logs.h"

namespace loci {
namespace {

// What everybody had in common before.
Result<NewEnds> known_ends(const Vault& vault) {
  const auto git = TRY(git_of(vault));
  std::string common = TRY(git.exchanged());
  if (common.empty()) common = git.merge_base("HEAD", "@{upstream}").value_or(std::nullopt).value_or(std::string());
  return NewEnds::since(git, common);
}

// What another machine forgot or corrected, and this one had made an entry of, is taken out with what is understood; then what
// itself ended on one machine while another had it.
Status after_exchange(Memory& memory, const NewEnds& ends, Synced& synced) {
  TRY(memory.take_in({}));
  synced.settled = TRY(settle_runs(memory));
  if (!synced.settled.files.empty()) TRY(memory.take_in(synced.settled.files));
  const auto named = ends.in(TRY(read_logs(memory.vault())));
  synced.restored = TRY(put_back_after_restore(memory, named)).entries;
  auto understood = TRY(understand(memory));
  synced.ended = std::move(understood.ended);
  std::ranges::move(TRY(take_out_after_end(memory, named, understood.waiting)).entries, std::back_inserter(synced.ended));
  TRY(finish_unfinished_changes(memory));
  return {};
}

bool has_changed_anything(const Synced& synced) {
  return !synced.settled.removed.empty() || !synced.settled.pending.empty() || !synced.ended.empty() || !synced.restored.empty();
}

}  // namespace

Result<Synced> sync_vault(Memory& memory, const ExchangeOptions& options) {
  if (!options.dry_run) TRY(understand_first(memory));
  const auto ends = known_ends(memory.vault());
  Synced synced{TRY(exchange(memory.vault(), options)), {}, {}, {}};
  if (options.dry_run || synced.exchanged.received == GitDifference{}) return synced;
  if (const auto taken = after_exchange(memory, ends.value_or(NewEnds()), synced); !taken)
    log_warning("what came is here, but not taken in yet: " + taken.error().message);
  if (!has_changed_anything(synced)) return synced;
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
  value.set("removed", Json(synced.settled.removed));
  value.set("ended", Json(synced.ended));
  value.set("restored", Json(synced.restored));
  value.set("pending", Json(synced.settled.pending));
  value.set("tries", std::int64_t{done.tries});
  value.set("dry_run", dry_run);
  return value;
}

}  // namespace loci
