#include "edits/save_meaning.h"

#include <algorithm>

#include "edits/old_buffers.h"

namespace loci {

Result<std::optional<SaveMeaning>> meaning_of(EditContext& context, const std::string& file, const Save& save, bool was_asked) {
  auto [known, places] = TRY(known_versions(context.vault, file, save.known));
  if (known.empty()) return std::nullopt;
  const Place place = place_of(file);
  const SeenFile saved = see_with_hidden(place, save.bytes, known);
  const auto elsewhere = TRY(context.that_stand_elsewhere(file, known.back().entries, saved.entries));
  for (KnownVersion& version : known)
    std::erase_if(version.entries, [&](const SeenEntry& entry) { return elsewhere.contains(entry.id); });
  const Explained explained = TRY(context.evidence.explained(place, known));
  SaveMeaning meaning{read_save(known, saved.entries, saved.frame, explained), {}, save, {}, {}};
  if (!save.is_present) meaning.standing.bytes = context.present.of(file).bytes;
  if (meaning.reading.made == Made::from_old_buffer) {
    const Version& opened = save.known[places[meaning.reading.base]];
    auto both = TRY(with_what_came_since(context, file, meaning.standing, opened, elsewhere,
                                         taken_out_by_hand(std::span(known).subspan(meaning.reading.base))));
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
  // Who changes many lines of their own in user.md is not asked about them.
  if (place == Place::user && !meaning.reading.undone && !was_asked)
    std::erase_if(meaning.reading.changes, [](const Change& change) { return !change.before.has_metadata; });
  return meaning;
}

}  // namespace loci
