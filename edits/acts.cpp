#include "edits/acts.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"

namespace loci {
namespace {

constexpr size_t act_digits = 20;
constexpr std::string_view act_mark = "u-";

using Entries = std::span<const SeenEntry>;

bool has_id(Entries entries, std::string_view id) { return find_seen(entries, id) != nullptr; }

bool has_text(Entries entries, const SeenEntry& wanted) {
  return std::ranges::any_of(entries, [&](const SeenEntry& one) { return one.id == wanted.id && one.hash == wanted.hash; });
}

// What loci wrote between two versions.
struct Written {
  std::vector<const SeenEntry*> added, changed, removed;  // `changed`: as they are since; `removed`: as they were
};

// Metadata is loci's alone. Whose text without it is, as in a line of user.md, `is_ours` knows.
Written written_between(Entries before, Entries after, const std::function<bool(const SeenEntry&)>& is_ours) {
  Written written;
  for (const SeenEntry& entry : after) {
    if (has_text(before, entry) || !(entry.has_metadata || is_ours(entry))) continue;
    (has_id(before, entry.id) ? written.changed : written.added).push_back(&entry);
  }
  for (const SeenEntry& entry : before)
    if (!has_id(after, entry.id) && (entry.has_metadata || is_ours(entry))) written.removed.push_back(&entry);
  return written;
}

// What one write of loci's did: everything in which the two versions differ.
Written written_by(const KnownVersion& version, Entries before) {
  return written_between(before, version.entries, [&](const SeenEntry&) { return version.by_loci; });
}

using Texts = std::set<std::pair<std::string_view, std::string_view>>;  // ids and hashes

void note_texts(const Written& written, Texts& texts) {
  for (const SeenEntry* entry : written.changed) texts.emplace(entry->id, entry->hash);
}

// Without what a person reworded since.
Written without_others(Written written, const Texts& by_loci) {
  std::erase_if(written.changed, [&](const SeenEntry* entry) { return !by_loci.contains({entry->id, entry->hash}); });
  return written;
}

// Without what only a person changed.
Written without_untouched(Written written, const std::set<std::string_view>& changed_by_loci) {
  std::erase_if(written.changed, [&](const SeenEntry* entry) { return !changed_by_loci.contains(entry->id); });
  return written;
}

// Text without metadata that a write added or took out.
void note_nameless(const Written& written, std::set<std::string_view>& nameless) {
  for (const auto* entries : {&written.added, &written.removed})
    for (const SeenEntry* entry : *entries)
      if (!entry->has_metadata) nameless.insert(entry->id);
}

// A changed text that a person changed once more is told by what it is nearer to. One that stood there earlier tells of no later
// version.
bool comes_from(const SeenEntry& written, std::span<const KnownVersion> older, Entries before, Entries present) {
  const SeenEntry *now = find_seen(present, written.id), *then = find_seen(before, written.id);
  if (!now || std::ranges::any_of(older, [&](const KnownVersion& version) { return has_text(version.entries, *now); }))
    return false;
  if (now->hash == written.hash) return true;
  return then && !has_text(before, *now) && nearness(now->text, written.text) > nearness(now->text, then->text);
}

bool says(Entries entries, std::string_view text) {
  return std::ranges::any_of(entries, [&](const SeenEntry& entry) { return has_in_it(entry.text, text); });
}

// By its id, or its words in another entry: a person merged the two.
bool has_added(const SeenEntry& added, Entries before, Entries present) {
  return has_id(present, added.id) || (says(present, added.text) && !says(before, added.text));
}

// An entry that was taken out and made again stood in an older version, too: that it is there tells of no later one, unless its
// text is new.
bool is_made_again(const SeenEntry& added, std::span<const KnownVersion> older, Entries present) {
  const auto has_it = [&](const KnownVersion& version) { return has_id(version.entries, added.id); };
  const auto says_it = [&](const KnownVersion& version) { return has_text(version.entries, added); };
  return std::ranges::any_of(older, has_it) && (!has_text(present, added) || std::ranges::any_of(older, says_it));
}

// An entry has its words that never had them before.
bool is_merged_anew(const SeenEntry& added, std::span<const KnownVersion> older, Entries before, Entries present) {
  return std::ranges::any_of(present, [&](const SeenEntry& entry) {
    const auto says_it = [&](Entries entries) {
      const SeenEntry* one = find_seen(entries, entry.id);
      return one && has_in_it(one->text, added.text);
    };
    // Its own words first: they are cheap to look at, and nearly always others.
    if (entry.id == added.id || !entry.has_metadata || !has_in_it(entry.text, added.text)) return false;
    if (!says_it(present) || says_it(before)) return false;
    return std::ranges::none_of(older, says_it, &KnownVersion::entries);
  });
}

// `newest`: what the entries say by now, if a person gave them other words before they were merged.
bool has_any_of(const Written& written, std::span<const KnownVersion> older, Entries before, Entries newest, Entries present) {
  const auto tells = [&](const SeenEntry* entry) {
    const SeenEntry* now = find_seen(newest, entry->id);
    if (is_merged_anew(*entry, older, before, present) || (now && is_merged_anew(*now, older, before, present))) return true;
    return has_added(*entry, before, present) && !is_made_again(*entry, older, present);
  };
  return std::ranges::any_of(written.added, tells) ||
         std::ranges::any_of(written.changed, [&](const SeenEntry* entry) { return comes_from(*entry, older, before, present); });
}

// A comment that has lost its text names an entry, too, and so does a promoted line outside the markers: nobody types an id.
bool is_named_in(const FileFrame& frame, const SeenEntry& entry) {
  return std::ranges::any_of(frame.pieces, [&](const FileFrame::Piece& piece) {
    return piece.is_line && (piece.key == "ref " + entry.id || piece.key.contains('"' + entry.id + '"'));
  });
}

bool names_any_of(const Written& written, std::span<const KnownVersion> older, const FileFrame& before, const FileFrame& frame) {
  return std::ranges::any_of(written.added, [&](const SeenEntry* entry) {
    const auto has_it = [&](const KnownVersion& version) { return has_id(version.entries, entry->id); };
    return entry->has_metadata && is_named_in(frame, *entry) && !is_named_in(before, *entry) && std::ranges::none_of(older, has_it);
  });
}

bool has_any_id(const std::vector<const SeenEntry*>& entries, Entries present) {
  return std::ranges::any_of(entries, [&](const SeenEntry* entry) { return has_id(present, entry->id); });
}

// The file says what loci has replaced, or has what it took out since, in whatever words. Text without metadata that went may have
// been typed again, but not where what took its place is missing, too.
bool has_old_wording(const Written& written, Entries before, Entries present) {
  const bool is_replaced = !written.added.empty();
  const auto stands = [&](const SeenEntry* entry) {
    return entry->has_metadata ? has_id(present, entry->id) : is_replaced && has_text(present, *entry);
  };
  return std::ranges::any_of(written.removed, stands) || std::ranges::any_of(written.changed, [&](const SeenEntry* entry) {
           const SeenEntry* then = find_seen(before, entry->id);
           return then && has_text(present, *then);
         });
}

// Words of a line without metadata that are another line's, too: it was edited, if that one stands no more. Of very many nothing is
// said, as each is compared with each.
constexpr double mostly = 0.5;
constexpr size_t most_compared = 100'000;

std::vector<const SeenEntry*> nameless_not_in(Entries entries, Entries others) {
  std::vector<const SeenEntry*> found;
  for (const SeenEntry& entry : entries)
    if (!entry.has_metadata && !has_id(others, entry.id)) found.push_back(&entry);
  return found;
}

// Words of a line without metadata that loci took out, in a line that came: nearer to those than to what went of the newest
// version.
bool was_reworded_after(const Written& written, Entries newest, Entries present) {
  const auto went = nameless_not_in(newest, present), came = nameless_not_in(present, newest);
  if (went.empty() || went.size() * came.size() > most_compared) return false;
  return std::ranges::any_of(written.removed, [&](const SeenEntry* gone) {
    if (gone->has_metadata) return false;
    return std::ranges::any_of(came, [&](const SeenEntry* line) {
      const double near = nearness(gone->text, line->text);
      return near > mostly &&
             std::ranges::all_of(went, [&](const SeenEntry* one) { return near > nearness(one->text, line->text); });
    });
  });
}

// Loci and a person changed one entry, and it is nearer to what stood before loci did.
bool was_changed_by_both(const Written& written, Entries before, Entries present) {
  return std::ranges::any_of(written.changed, [&](const SeenEntry* entry) {
    const SeenEntry *now = find_seen(present, entry->id), *then = find_seen(before, entry->id);
    return now && then && now->hash != then->hash && now->hash != entry->hash;
  });
}

// Bytes with which two texts begin and end alike, none of them counted twice.
size_t alike_at_ends(std::string_view text, std::string_view other) {
  const auto [end, ignored] = std::ranges::mismatch(text, other);
  const size_t front = static_cast<size_t>(end - text.begin()), shortest = std::min(text.size(), other.size());
  size_t back = 0;
  while (front + back < shortest && text[text.size() - 1 - back] == other[other.size() - 1 - back]) ++back;
  return front + back;
}

// Most of it is there still, or all, with something put in between, however much that is.
bool is_edited_from(std::string_view then, std::string_view now) {
  return nearness(then, now) > mostly || (!then.empty() && alike_at_ends(then, now) == then.size());
}

auto reworded_in(const std::vector<const SeenEntry*>& came, const SeenEntry& then) {
  return std::ranges::find_if(came, [&](const SeenEntry* one) { return is_edited_from(then.text, one->text); });
}

bool is_reworded(const SeenEntry& then, const std::vector<const SeenEntry*>& came) { return reworded_in(came, then) != came.end(); }

// How many lines without metadata of `before` say something else in `present`: each is one difference, not one that went and one
// that came.
size_t count_reworded(Entries before, Entries present) {
  const auto went = nameless_not_in(before, present);
  auto came = nameless_not_in(present, before);
  if (went.size() * came.size() > most_compared) return 0;
  size_t count = 0;
  for (const SeenEntry* then : went) {
    const auto now = reworded_in(came, *then);
    if (now == came.end()) continue;
    came.erase(now);
    ++count;
  }
  return count;
}

// All of what a write took out, which did nothing else: it is in no save that was made afterwards, and in none that was made before
// it came. So the save was made from no version that has it. `before`: the version that it wrote over.
void note_what_it_lacks(const Written& written, Entries before, Entries present, std::set<std::string_view>& lacks) {
  if (!written.added.empty() || !written.changed.empty()) return;
  if (has_any_id(written.removed, present)) return;
  const auto came = nameless_not_in(present, before);
  for (const SeenEntry* entry : written.removed)
    if (!entry->has_metadata && is_reworded(*entry, came)) return;
  for (const SeenEntry* entry : written.removed) lacks.insert(entry->id);
}

// What only a person reworded since, and the save says as before: they take their own words back in whichever version they have,
// and that tells of none. `older`: of which it would.
size_t count_taken_back(Entries older, Entries newest, Entries present, const std::set<std::string_view>& changed_by_loci) {
  return static_cast<size_t>(std::ranges::count_if(older, [&](const SeenEntry& then) {
    const SeenEntry* now = find_seen(newest, then.id);
    return now && now->hash != then.hash && !changed_by_loci.contains(then.id) && has_text(present, then);
  }));
}

// What stands twice where it stood once was added, too.
size_t added_to(Entries before, Entries present) {
  std::map<std::string_view, int> left;
  for (const SeenEntry& entry : before) ++left[entry.id];
  return static_cast<size_t>(std::ranges::count_if(present, [&](const SeenEntry& entry) { return --left[entry.id] < 0; }));
}

// `changed`: entries of `before` that went or say something else.
size_t count_other_words(size_t changed, Entries before, Entries present) {
  return changed + added_to(before, present) - std::min(changed, count_reworded(before, present));
}

bool has_all_lines_of(const FileFrame& one, const FileFrame& other) {
  return std::ranges::all_of(one.pieces, [&](const FileFrame::Piece& line) {
    return !line.is_line || std::ranges::find(other.pieces, line.key, &FileFrame::Piece::key) != other.pieces.end();
  });
}

// What a save has nothing of, it was not made from, however few entries that has: who takes everything out is nearest to the
// version that had the least. Of one without entries that is told by its headings and comments, once a person saved the file since.
bool has_some_of(const KnownVersion& before, Entries present, const FileFrame& frame, bool was_saved_since) {
  if (before.entries.empty()) return present.empty() || !was_saved_since || has_all_lines_of(before.frame, frame);
  const bool has_one = std::ranges::any_of(before.entries, [&](const SeenEntry& then) { return has_id(present, then.id); });
  return has_one || count_reworded(before.entries, present) > 0;
}

// Nothing came and nothing went. Text without metadata has its words as its name: where it stood, other words stand.
bool are_wordings(const Written& written, Entries before, Entries after) {
  if (written.added.empty() && written.removed.empty()) return true;
  return std::ranges::equal(before, after, [](const SeenEntry& then, const SeenEntry& now) {
    return then.id == now.id || (!then.has_metadata && !now.has_metadata);
  });
}

bool is_empty(const Written& written) { return written.added.empty() && written.changed.empty() && written.removed.empty(); }

}  // namespace

std::vector<Change> changes_between(Entries before, Entries after, const Explained& explained) {
  std::vector<Change> changes;
  for (const SeenEntry& then : before) {
    if (has_text(after, then)) continue;
    const SeenEntry* now = find_seen(after, then.id);
    if (explained && explained(then, now)) continue;
    changes.push_back({then, now ? std::optional(*now) : std::nullopt});
  }
  return changes;
}

std::set<std::string> changed_last_by_loci(std::span<const KnownVersion> known, Entries present) {
  std::set<std::string> ids;
  const auto note = [&ids](Entries before, Entries after, bool by_loci) {
    const auto note_missing = [&](Entries these, Entries those) {
      for (const SeenEntry& entry : these) {
        if (has_text(those, entry)) continue;
        if (by_loci) ids.insert(entry.id);
        if (!by_loci) ids.erase(entry.id);
      }
    };
    note_missing(before, after);
    note_missing(after, before);
  };
  for (size_t i = 1; i < known.size(); ++i) note(known[i - 1].entries, known[i].entries, known[i].by_loci);
  if (!known.empty()) note(known.back().entries, present, false);
  return ids;
}

// Text without metadata in `present` that came with a version which has something of what loci wrote: whoever typed it had read
// that, and so has whoever saves it now. What stood in `before`, or came with a version that lacks all of it, tells nothing.
bool has_typed_since(std::span<const KnownVersion> known, Entries before, const Written& since, Entries present) {
  return std::ranges::any_of(present, [&](const SeenEntry& line) {
    if (line.has_metadata || has_id(before, line.id)) return false;
    const auto first = std::ranges::find_if(known, [&](const KnownVersion& version) { return has_id(version.entries, line.id); });
    return first != known.end() && !first->by_loci && has_any_id(since.added, first->entries);
  });
}

// Something that loci did not take out is missing from a version, from the newest one and from the save: it went before that save.
bool lacks_what_went(Entries before, Entries newest, const Written& since, Entries present) {
  return std::ranges::any_of(before, [&](const SeenEntry& entry) {
    return !has_id(newest, entry.id) && !has_id(present, entry.id) && !has_any_id(since.removed, std::span(&entry, 1));
  });
}

// A version that has nothing of what loci wrote since an older one: a buffer of that one's was saved.
bool was_made_from(std::span<const KnownVersion> known, size_t older, size_t saved) {
  for (size_t i = older + 1; i <= saved; ++i) {
    if (!known[i].by_loci) continue;
    const Entries before = known[i - 1].entries;
    if (has_any_of(written_by(known[i], before), known.first(i - 1), before, known[i].entries, known[saved].entries)) return false;
  }
  return true;
}

SaveReading read_save(std::span<const KnownVersion> known, Entries present, const FileFrame& frame, const Explained& explained) {
  const size_t newest = known.size() - 1;
  const SaveReading from_newest{Made::from_newest, newest, changes_between(known[newest].entries, present, explained)};
  SaveReading best = from_newest;
  const size_t other_words = count_other_words(best.changes.size(), known[newest].entries, present);
  size_t differences = other_words + frame_differences(known[newest].frame, known[newest].frame, frame);
  // What the logs say of later times is in no file that was made before.
  const auto differences_from = [&](const KnownVersion& version) {
    return count_other_words(changes_between(version.entries, present, {}).size(), version.entries, present) +
           frame_differences(version.frame, known[newest].frame, frame);
  };
  std::set<std::string_view> lacks, nameless, changed_by_loci;
  Texts by_loci;
  bool was_saved_since = false;  // by a person
  for (size_t i = newest; i > 0 && other_words > 0; --i) {
    const Entries before = known[i - 1].entries;
    const Written written = written_by(known[i], before);
    if (has_any_of(written, known.first(i - 1), before, known[newest].entries, present) ||
        has_lines_since(known[i - 1].frame, known[i].frame, frame) ||
        names_any_of(written, known.first(i - 1), known[i - 1].frame, frame))
      break;  // made from this one, or a later one
    if (has_any_id(written.added, present)) {
      // Which was made again: this version has it as well as the older ones have, one of which has to be nearer then.
      const size_t differs = differences_from(known[i]);
      if (differs == 0) break;
      differences = std::min(differences, differs);
    }
    was_saved_since = was_saved_since || !known[i].by_loci;
    if (!known[i].by_loci || is_empty(written)) continue;  // nobody can lack what changed no words
    note_nameless(written, nameless);
    note_texts(written, by_loci);
    for (const SeenEntry* entry : written.changed) changed_by_loci.insert(entry->id);
    note_what_it_lacks(written, before, present, lacks);
    if (std::ranges::any_of(before, [&](const SeenEntry& entry) { return lacks.contains(entry.id); })) continue;
    const Written since =
        written_between(before, known[newest].entries, [&](const SeenEntry& entry) { return nameless.contains(entry.id); });
    // Nobody types an id: a save that has one which this version lacks was made from an older one, or from a later one.
    const bool is_all_there = is_empty(without_untouched(since, changed_by_loci));
    if (is_all_there || has_any_id(since.added, present) || has_typed_since(known, before, since, present)) continue;
    const size_t differs = differences_from(known[i - 1]);
    // Then nothing shows of which version it was made.
    const bool was_emptied = before.empty() && present.empty() && has_all_lines_of(frame, known[newest].frame);
    if (differs == 0 && best.made == Made::from_old_buffer && was_made_from(known, i - 1, best.base)) {
      best.undone = true;  // the same buffer, without what was typed into it
      best.same_as = i - 1;
      break;
    }
    if (differs == 0 || was_emptied) {  // it equals this version
      const bool only_wordings = are_wordings(since, before, known[newest].entries);
      const bool only_additions = since.changed.empty() && since.removed.empty();
      best = only_wordings || only_additions ? from_newest : SaveReading{Made::from_old_buffer, i - 1, {}};
      best.undone = true;
      best.same_as = i - 1;
      break;
    }
    const size_t besides = differs + count_taken_back(before, known[newest].entries, present, changed_by_loci);
    const Written replaced = without_others(since, by_loci);
    // Of two old buffers that are as near, the later one.
    const bool is_as_near = besides == differences && best.made == Made::from_newest &&
                            !lacks_what_went(before, known[newest].entries, since, present) &&
                            (has_old_wording(replaced, before, present) || was_changed_by_both(replaced, before, present) ||
                             was_reworded_after(since, known[newest].entries, present));
    if (besides > differences || (besides == differences && !is_as_near) ||
        !has_some_of(known[i - 1], present, frame, was_saved_since))
      continue;
    best = {Made::from_old_buffer, i - 1, changes_between(before, present, explained), 0, false};
    differences = besides;
  }
  best.same = known[best.base].entries.size() - std::min(best.changes.size(), known[best.base].entries.size());
  return best;
}

double nearness(std::string_view text, std::string_view other) {
  const size_t longest = std::max(text.size(), other.size());
  return longest == 0 ? 1 : static_cast<double>(alike_at_ends(text, other)) / static_cast<double>(longest);
}

std::string act_id(std::string_view entry, std::string_view hash_before, std::string_view hash_after) {
  std::string all(entry);
  all.append("\n").append(hash_before).append("\n").append(hash_after);
  return std::string(act_mark) + hex(as_bytes(sha256(all)), act_digits);
}

bool is_act(std::string_view id) { return id.starts_with(act_mark); }

}  // namespace loci
