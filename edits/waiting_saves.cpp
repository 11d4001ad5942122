#include "edits/waiting_saves.h"

#include <algorithm>
#include <chrono>

#include "vault/rewrite/write_names.h"

namespace loci {

using std::chrono::milliseconds;

namespace {

// Another sync tool may bring a file before the logs that explain it. The first sight of these bytes counts, 10 minutes of it, and
// half an hour of whatever came one after the other.
Result<bool> must_wait(EditContext& context, const std::string& file, const Save& save) {
  if (!save.is_present) return false;
  Instant newest_write{};
  for (const Version& version : save.known)
    if (version.kind == Version::Kind::wrote) newest_write = version.at;
  FileRecord& record = context.state.record(file);
  if (TRY(context.evidence.waits_for_stash(file, save.bytes))) return true;
  if (!context.evidence.may_be_half_a_sync(context.present.of(file).saved_at, newest_write, context.now)) return false;
  const std::string hash = content_hash(save.bytes);
  if (record.unsure_of != hash || !record.unsure_since || *record.unsure_since > context.now) record.unsure_since = context.now;
  record.unsure_of = hash;
  if (!record.unsure_first || *record.unsure_first > context.now) record.unsure_first = context.now;
  const auto left =
      std::min(sync_settles - (context.now - *record.unsure_since), most_sync_waits - (context.now - *record.unsure_first));
  if (left <= milliseconds(0)) return false;
  context.understood.look_again_in(left);
  return true;
}

}  // namespace

Result<bool> waits_for_others(EditContext& context, const std::string& file, const Save& save, const SaveMeaning& meaning) {
  context.state.record(file).unsure_absent.clear();
  if (!TRY(must_wait(context, file, save))) return context.git_has_moved();
  context.waits = true;
  for (const Change& change : meaning.reading.changes)
    if (!change.after && change.before.has_metadata)
      context.state.record(file).unsure_absent.push_back(
          {change.before.id, change.before.hash, change.before.from, context.now, meaning.base.hash});
  return true;
}

}  // namespace loci
