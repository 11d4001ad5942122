#include "edits/old_buffers.h"

#include "edits/act_log.h"
#include "edits/merge_file.h"
#include "edits/settled_facts.h"
#include "memory/add.h"
#include "vault/layout/scan.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/write_names.h"

namespace loci {

std::set<std::string> taken_out_by_hand(std::span<const KnownVersion> versions) {
  std::set<std::string> ids;
  for (size_t i = 1; i < versions.size(); ++i) {
    if (versions[i].by_loci) continue;
    for (const SeenEntry& entry : versions[i - 1].entries)
      if (!entry.has_metadata && !find_seen(versions[i].entries, entry.id)) ids.insert(entry.id);
  }
  return ids;
}

namespace {

// What stands between git's markers in the newest version, and stood in none without them: nobody has chosen it yet, and so it has
// not come.
Result<std::set<std::string>> not_chosen(const Vault& vault, const std::string& file, const SeenFile& newest,
                                         const std::vector<Version>& known) {
  std::set<std::string> ids = newest.undecided;
  for (size_t i = known.size(); i > 0 && !ids.empty(); --i) {
    const auto bytes = TRY(bytes_of(vault, file, known[i - 1]));
    const SeenFile seen = see_file(place_of(file), bytes.value_or(std::string()));
    for (const SeenEntry& entry : seen.entries)
      if (!seen.undecided.contains(entry.id)) ids.erase(entry.id);
  }
  return ids;
}

}  // namespace

Result<Result<std::string>> with_what_came_since(EditContext& context, const std::string& file, const Save& save,
                                                 const Version& base, const std::set<std::string>& elsewhere,
                                                 std::set<std::string> by_hand, const EarlierNames& names) {
  const auto before = TRY(bytes_of(context.vault, file, base)), newest = TRY(bytes_of(context.vault, file, save.known.back()));
  if (!before || !newest) return Result<std::string>(save.bytes);
  const Place place = place_of(file);
  std::set<std::string> made_since = std::move(by_hand);
  const Chronicle& logs = *TRY(context.evidence.logs());
  for (const SeenEntry& entry : see_file(place, *before).entries) {
    const Fate fate = logs.fate_of(entry.id);
    const bool is_taken_back = fate.tombstone && !removes(*fate.tombstone) && fate.kind == Fate::Kind::pending;
    const bool is_made = place == Place::consolidated && !logs.lines_of_entry(entry.id).empty() && !logs.explains_removal(entry.id);
    if (is_taken_back || is_made) made_since.insert(entry.id);
  }
  std::set<std::string> stay_away = elsewhere;
  const Explained explained = TRY(context.evidence.explained(place));
  const SeenFile seen = see_file(place, *newest);
  for (const SeenEntry& entry : seen.entries)
    if (explained(entry, nullptr) || (entry.has_metadata && context.evidence.was_taken_back(entry, logs)))
      stay_away.insert(entry.id);
  stay_away.merge(TRY(not_chosen(context.vault, file, seen, save.known)));
  return put_back_since(place, names.in_file(*before), names.in_file(*newest), names.in_file(save.bytes), stay_away, made_since);
}

namespace {

// Of entries in which a person's words stand, what loci had done since: what it folded in is pending again, and what it had taken
// out with its entry is settled there. So is what stood before a person who took it out: that it went is their act.
Status follow_words(EditContext& context, const std::vector<SeenEntry>& newest, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (!change.before.has_metadata || (change.after && !change.after->has_metadata)) continue;
    const SeenEntry* written = find_seen(newest, change.before.id);
    if (!written)
      TRY(settle_facts_again(context.memory, {{change.before, change.after.value_or(change.before)}}));
    else if (change.after && written->hash != change.before.hash)
      TRY(let_go_of_facts(context.memory, *written, change.before, *change.after));
  }
  context.evidence.logs_changed();
  return {};
}

}  // namespace

Status put_back(EditContext& context, const std::string& file, const Save& save, const Version& base,
                const std::vector<Change>& changes, const std::string& bytes) {
  const Place place = place_of(file);
  const auto newest = TRY(bytes_of(context.vault, file, save.known.back()));
  if (!newest) return {};
  if (bytes != save.bytes) TRY(replace_file(context.vault, file, save.bytes, bytes));
  if (place == Place::consolidated) TRY(follow_words(context, see_file(place, *newest).entries, changes));
  if (bytes == save.bytes) return {};
  context.understood.put_back.push_back(file);
  context.present.was_written(file);
  (void)make_searchable(context.memory, {file});
  const std::string hash = content_hash(save.bytes);
  return log_act(context.vault, {act_id(file, base.hash, hash), context.now, file, "", "saved an old buffer", base.hash, base.at,
                                 true, "put back", base.hash, hash});
}

Status put_back_meanwhile(EditContext& context, const std::string& file, const Save& save, const std::string& asked_about) {
  const auto asked = place_of_last(save.known, asked_about);
  if (!asked) return {};
  const auto [known, places] = TRY(known_versions(context.vault, file, save.known));
  size_t first = 0;  // behind the version that the question is about, which need not be one of these
  while (first < places.size() && places[first] <= *asked) ++first;
  const auto meanwhile = std::span(known).subspan(first);
  if (meanwhile.empty()) return {};
  const SeenFile saved = see_with_hidden(place_of(file), save.bytes, known);
  const auto reading = read_save(meanwhile, saved.entries, saved.frame, TRY(context.evidence.explained(place_of(file), known)));
  size_t base = reading.base;
  while (reading.undone && base > 0 && meanwhile[base].by_loci) --base;
  const bool is_old = reading.made == Made::from_old_buffer || (reading.undone && base != reading.base);
  if (!is_old || context.is_being_saved(file)) return {};
  const Version& opened = save.known[places[first + base]];
  const auto elsewhere = TRY(context.that_stand_elsewhere(file, known.back().entries, saved.entries));
  const auto both = TRY(with_what_came_since(context, file, save, opened, elsewhere, taken_out_by_hand(meanwhile.subspan(base))));
  return both ? put_back(context, file, save, opened, {}, *both) : Status();
}

}  // namespace loci
