#include "edits/save_meaning.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "edits/file_pieces.h"
#include "edits/merge_file.h"
#include "edits/old_buffers.h"
#include "parser/core_file.h"
#include "vault/rewrite/write_names.h"

namespace loci {
namespace {

std::set<Wording> wordings_of(std::span<const SeenEntry> lines) {
  std::set<Wording> wordings;
  for (const SeenEntry& line : lines)
    if (line.has_metadata) wordings.emplace(line.id, line.hash);
  return wordings;
}

// Lines that loci wrote and no promotion tells of any more: git has taken both back.
std::set<Wording> taken_back_by_git(std::span<const KnownVersion> known, std::span<const SeenEntry> present,
                                    const Chronicle& logs) {
  std::set<Wording> taken;
  const std::set<Wording> standing = wordings_of(present);
  for (size_t i = 1; i < known.size(); ++i) {
    if (!known[i].by_loci) continue;
    const std::set<Wording> before = wordings_of(known[i - 1].entries);
    for (const Wording& line : wordings_of(known[i].entries))
      if (!before.contains(line) && !standing.contains(line) && !logs.ever_promoted(line.first, line.second)) taken.insert(line);
  }
  return taken;
}

// The core goes back with its promotions, to the version that was the newest before them. Whether it does.
bool go_back_with_promotions(KnownVersions& known, std::span<const SeenEntry> present, const Chronicle& logs) {
  const std::set<Wording> taken = taken_back_by_git(known.versions, present, logs);
  const auto has_one = [&](const KnownVersion& version) {
    return std::ranges::any_of(wordings_of(version.entries), [&](const Wording& line) { return taken.contains(line); });
  };
  const size_t before = known.versions.size();
  while (!known.versions.empty() && has_one(known.versions.back())) {
    known.versions.pop_back();
    known.places.pop_back();
  }
  return known.versions.size() < before;
}

bool names_facts_of(const KnownVersion& version, std::span<const SeenEntry> present) {
  return std::ranges::all_of(present, [&](const SeenEntry& entry) {
    const SeenEntry* then = find_seen(version.entries, entry.id);
    return !then || then->from == entry.from;
  });
}

// The newest version, of those up to `last`, with the facts that the entries rest on as the save names them: nobody types those.
std::optional<size_t> version_by_facts(std::span<const KnownVersion> known, size_t last, std::span<const SeenEntry> present) {
  for (size_t i = last + 1; i-- > 0;)
    if (names_facts_of(known[i], present)) return i;
  return std::nullopt;
}

// The save equals an older version but for what somebody moved to another file: it was edited, and what came since is no deletion,
// unless an entry names newer facts. The version that it was made from.
std::optional<size_t> version_that_was_moved_from(const SaveReading& reading, std::span<const KnownVersion> known,
                                                  const std::set<size_t>& moved_from, std::span<const SeenEntry> present) {
  const auto is_reworded = [](const Change& change) { return change.after.has_value(); };
  if (!reading.undone || !moved_from.contains(reading.same_as) || std::ranges::any_of(reading.changes, is_reworded))
    return std::nullopt;
  return version_by_facts(known, reading.same_as, present);
}

// What an undo took out since stood before whoever had the buffer open: that it is missing from that, too, is their doing, which
// the logs say nothing of.
void add_taken_out_of_buffer(SaveReading& reading, const KnownVersion& opened, const KnownVersion& newest,
                             std::span<const SeenEntry> present, const Chronicle& logs) {
  const auto is_known = [&](const SeenEntry& entry) {
    return std::ranges::any_of(reading.changes, [&](const Change& change) { return change.before.id == entry.id; });
  };
  for (const SeenEntry& entry : opened.entries) {
    const bool is_missing = !find_seen(present, entry.id) && !find_seen(newest.entries, entry.id);
    if (is_missing && !is_known(entry) && logs.fate_of(entry.id).kind == Fate::Kind::undone)
      reading.changes.push_back({entry, std::nullopt});
  }
}

// What loci wrote over is loci's own, too, if it was promoted behind the newest version, whatever took its place since: a branch
// that was gone to and left again in the middle keeps its writing out of the versions. What stands there now a person may have seen
// come, and may go back to it.
Explained or_promoted_since(Explained explained, Place place, const Chronicle& logs, const Save& save) {
  if (place != Place::core || save.is_present) return explained;
  return [explained = std::move(explained), &logs, newest = save.known.back().at](const SeenEntry& before, const SeenEntry* after) {
    return explained(before, after) || (after && logs.has_promoted_since(after->id, after->hash, newest));
  };
}

// loci wrote this, here or elsewhere, and it counts.
bool is_logged(const Chronicle& logs, Place place, const SeenEntry& entry) {
  if (!entry.has_metadata || logs.is_removed(entry.id)) return false;
  return place == Place::core ? logs.has_promoted(entry.id, entry.hash) : logs.has_written(entry.id, entry.hash);
}

bool has_said(std::span<const KnownVersion> versions, const SeenEntry& entry) {
  return std::ranges::any_of(versions, [&](const KnownVersion& version) {
    const SeenEntry* then = find_seen(version.entries, entry.id);
    return then && then->hash == entry.hash;
  });
}

// The line as it stood last: in a version that is looked at, before it went, or as it was promoted: it may have gone with what a
// sync brought, and then no version that is looked at had it.
Result<std::optional<SeenEntry>> line_as_it_stood(EditContext& context, std::span<const KnownVersion> known,
                                                  const std::string& ref) {
  for (const KnownVersion& version : known | std::views::reverse)
    if (const SeenEntry* then = find_seen(version.entries, ref)) return *then;
  const std::vector<Absence>& absent = context.state.record(core_file_name).absent;
  const auto gone = std::ranges::find(absent, ref, &Absence::id);
  if (gone == absent.end()) {
    const auto& promoted = TRY(context.evidence.logs())->promoted();
    const auto shown = promoted.find(ref);
    return shown == promoted.end() ? std::nullopt : std::optional(SeenEntry{ref, std::string(shown->second.line_hash)});
  }
  const auto bytes = TRY(bytes_of(context.vault, core_file_name, Version{Version::Kind::understood, gone->version, 0, {}}));
  const SeenFile before = see_file(Place::core, bytes.value_or(std::string()));
  const SeenEntry* then = find_seen(before.entries, ref);
  return then ? *then : SeenEntry{gone->id, gone->hash};
}

// A line that was taken out, or emptied, and stands again with other words is reworded: an editor saved in between.
Status add_reworded_after_absence(EditContext& context, SaveReading& reading, std::span<const KnownVersion> known,
                                  std::span<const SeenEntry> saved) {
  const Chronicle& logs = *TRY(context.evidence.logs());
  for (const SeenEntry& line : saved) {
    if (!line.has_metadata || find_seen(known.back().entries, line.id) || logs.ever_promoted(line.id, line.hash)) continue;
    if (std::ranges::any_of(reading.changes, [&](const Change& change) { return change.before.id == line.id; })) continue;
    const auto then = TRY(line_as_it_stood(context, known, line.id));
    if (then && then->hash != line.hash) reading.changes.push_back({*then, line});
  }
  return {};
}

}  // namespace

std::vector<Change> left_by_words(EditContext& context, std::span<const SeenEntry> entries, const std::set<std::string>& ids) {
  std::vector<Change> left;
  for (const SeenEntry& entry : entries)
    if (entry.has_metadata && ids.contains(entry.id) && !context.other_places().name(entry.id))
      left.push_back({entry, std::nullopt});
  return left;
}

Result<std::optional<std::string>> work_of_others(EditContext& context, const std::string& file, const Save& save,
                                                  const SaveMeaning& meaning) {
  const Place place = place_of(file);
  if (!save.is_present || meaning.reading.made != Made::from_newest || meaning.apart || place == Place::user) return std::nullopt;
  const auto newest = TRY(bytes_of(context.vault, file, save.known.back()));
  if (!newest) return std::nullopt;
  const Chronicle& logs = *TRY(context.evidence.logs());
  const auto known = see_file(place, *newest).entries, saved = see_file(place, save.bytes).entries;
  std::set<std::string> by_others;
  std::optional<std::vector<KnownVersion>> versions;
  // Whatever stood here before a person may have put back.
  const auto stood_here = [&](const SeenEntry& entry) -> Result<bool> {
    if (!versions) versions = TRY(known_versions(context.vault, file, save.known)).versions;
    return has_said(*versions, entry);
  };
  for (const SeenEntry& entry : saved) {
    const SeenEntry* then = find_seen(known, entry.id);
    if ((then && then->hash == entry.hash) || !is_logged(logs, place, entry) || TRY(stood_here(entry))) continue;
    by_others.insert(entry.id);
  }
  if (by_others.empty()) return std::nullopt;  // what went alone may have been taken out by anybody
  for (const SeenEntry& entry : known)
    if (!find_seen(saved, entry.id) && entry.has_metadata && explained_by(logs, place, entry, nullptr)) by_others.insert(entry.id);
  auto bytes = as_before(place, *newest, save.bytes, by_others);
  return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
}

Status note_work_of_others(const Vault& vault, const std::string& file, const Chronicle& logs) {
  const auto versions = TRY(versions_of(vault, file));
  const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
  if (versions.empty() || !bytes || content_hash(*bytes) == versions.back().hash) return {};
  const Place place = place_of(file);
  const auto known = TRY(known_versions(vault, file, versions)).versions;
  if (known.empty()) return {};
  const KnownVersion& before = known.back();
  const SeenFile now = see_file(place, *bytes);
  const auto came = [&](const SeenEntry& entry) { return !has_said({&before, 1}, entry); };
  const auto came_by_logs = [&](const SeenEntry& entry) {
    return !came(entry) || (is_logged(logs, place, entry) && !has_said(known, entry));
  };
  const auto went_by_logs = [&](const SeenEntry& entry) {
    return find_seen(now.entries, entry.id) || (entry.has_metadata && explained_by(logs, place, entry, nullptr));
  };
  const bool is_of_others = frame_differences(before.frame, now.frame, now.frame) == 0 && std::ranges::any_of(now.entries, came) &&
                            std::ranges::all_of(now.entries, came_by_logs) && std::ranges::all_of(before.entries, went_by_logs);
  return is_of_others ? note_version(vault, file, Version::Kind::wrote, *bytes) : Status();
}

Result<std::optional<SaveMeaning>> meaning_of(EditContext& context, const std::string& file, const Save& save, bool was_asked) {
  const Place place = place_of(file);
  auto versions = TRY(known_versions(context.vault, file, save.known));
  if (place == Place::core && context.is_under_git()) {
    const bool goes_back = go_back_with_promotions(versions, see_file(place, save.bytes).entries, *TRY(context.evidence.logs()));
    if (goes_back && context.git_is_busy()) return SaveMeaning{{}, {}, save, {}, {}, true};
  }
  auto& [known, places] = versions;
  if (known.empty()) return std::nullopt;
  SeenFile saved = see_with_hidden(place, save.bytes, known);
  EarlierNames names;
  if (place != Place::user) {
    names = TRY(EarlierNames::between(context.vault, file, *TRY(context.evidence.logs()), save.known[places.back()],
                                      known.back().entries, saved.entries));
    for (KnownVersion& version : known) names.bring_up_to_date(version.entries);
    names.bring_up_to_date(saved.entries);
  }
  // What nobody took out of the newest version is no matter of the older ones: most saves look nowhere else.
  const bool lacks_some = std::ranges::any_of(
      known.back().entries, [&](const SeenEntry& entry) { return find_seen(saved.entries, entry.id) == nullptr; });
  const auto elsewhere =
      lacks_some ? TRY(context.that_stand_elsewhere(file, all_entries(known), saved.entries)) : std::set<std::string>();
  auto by_words = left_by_words(context, known.back().entries, elsewhere);
  std::set<size_t> moved_from;  // versions
  for (size_t i = 0; i < known.size(); ++i)
    if (std::erase_if(known[i].entries, [&](const SeenEntry& entry) { return elsewhere.contains(entry.id); }) > 0)
      moved_from.insert(i);
  const Explained explained =
      or_promoted_since(TRY(context.evidence.explained(place, known)), place, *TRY(context.evidence.logs()), save);
  SaveMeaning meaning{read_save(known, saved.entries, saved.frame, explained), {}, save, {}, {}};
  meaning.names = std::move(names);
  meaning.by_words = std::move(by_words);
  if (const auto opened = version_that_was_moved_from(meaning.reading, known, moved_from, saved.entries))
    meaning.reading = {Made::from_old_buffer, *opened, {}, known[*opened].entries.size()};
  if (!save.is_present) meaning.standing.bytes = context.present.of(file).bytes;
  if (meaning.reading.made == Made::from_old_buffer) {
    if (place == Place::consolidated && !meaning.reading.undone)
      add_taken_out_of_buffer(meaning.reading, known[meaning.reading.base], known.back(), saved.entries,
                              *TRY(context.evidence.logs()));
    const Version& opened = save.known[places[meaning.reading.base]];
    auto both = TRY(with_what_came_since(context, file, meaning.standing, opened, elsewhere,
                                         taken_out_by_hand(std::span(known).subspan(meaning.reading.base)), meaning.names));
    if (both)
      meaning.joined = std::move(*both);
    else if (save.is_present)
      meaning.apart = std::move(both.error());
  }
  if (was_asked) meaning.joined.reset();
  if (meaning.apart || was_asked) {
    meaning.reading = read_save(std::span(known).last(1), saved.entries, saved.frame, explained);
    meaning.reading.base = known.size() - 1;
  }
  meaning.base = save.known[places[meaning.reading.base]];
  if (place == Place::core && save.is_present) TRY(add_reworded_after_absence(context, meaning.reading, known, saved.entries));
  if (meaning.reading.undone)
    for (const KnownVersion& version : std::span(known).first(meaning.reading.same_as + 1))
      meaning.heard_of.merge(wordings_of(version.entries));
  // Who changes many lines of their own in user.md is not asked about them.
  if (place == Place::user && !meaning.reading.undone && !was_asked)
    std::erase_if(meaning.reading.changes, [](const Change& change) { return !change.before.has_metadata; });
  return meaning;
}

}  // namespace loci
