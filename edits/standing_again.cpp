#include "edits/standing_again.h"

#include "edits/decisions.h"
#include "edits/settled_facts.h"
#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"

namespace loci {

Status look_for_what_stands_again(EditContext& context, const std::string& file) {
  if (place_of(file) != Place::consolidated) return {};
  const Chronicle& logs = *TRY(context.evidence.logs());
  std::vector<StandsAgain> again;
  for (const SeenEntry& entry : context.present.of(file).seen.entries)
    if (entry.has_metadata && stands_again(logs, entry)) again.push_back({entry, entry});
  return settle_facts_again(context.memory, again);
}

Status look_for_forgotten(EditContext& context, const std::string& file) {
  if (place_of(file) != Place::consolidated) return {};
  const Chronicle& logs = *TRY(context.evidence.logs());
  for (const SeenEntry& entry : context.present.of(file).seen.entries) {
    if (!entry.has_metadata || entry.as_written || !logs.is_removed(entry.id)) continue;
    const Tombstone& tombstone = *logs.tombstone_of(entry.id);
    const bool knows_text = !tombstone.text_hash.empty() || !tombstone.loose.empty();
    if (!knows_text || tombstone.text_hash == entry.hash || tombstone.loose == loose_text_hash(entry.text)) continue;
    if (TRY(context.evidence.was_ended_knowingly(file, entry, tombstone))) TRY(delete_text(context.memory, entry.id, entry.hash));
  }
  return {};
}

}  // namespace loci
