#include "edits/take_note.h"

#include <algorithm>

#include "edits/act_log.h"
#include "edits/decisions.h"
#include "edits/settled_facts.h"

namespace loci {
namespace {

// Of an entry that stands in another file, too, and says there what it said.
bool is_said_elsewhere(EditContext& context, const std::string& file, const SeenEntry& entry) {
  return std::ranges::any_of(context.other_places().files_with({}, entry.hash, {}),
                             [&](const std::string& other) { return other != file; });
}

// What was filed of a person's words ends when they take them back.
Status take_words_back_if_gone(EditContext& context, const std::string& file, const Change& change) {
  const bool lacks_some = std::ranges::any_of(change.before.from, [&](const std::string& fact) {
    return std::ranges::find(change.after->from, fact) == change.after->from.end();
  });
  if (!lacks_some || is_said_elsewhere(context, file, change.before)) return {};
  return take_words_back(context.memory, change.before, *change.after);
}

// The file as it stands, which may say something else by now; as it was saved, if another process has written over that line since.
// Whoever is killed behind this leaves a save to understand, whatever stands there by then.
Result<std::string> core_to_follow(EditContext& context, const std::string& file, const Save& save, const std::string& ref) {
  if (!save.is_present) return save.bytes;
  auto now = TRY(read_file(context.vault.files(), context.vault.file(file)));
  if (!find_seen(see_file(Place::core, now).entries, ref)) return save.bytes;
  TRY(note_found(context.vault, file, now, save.saved_at));
  return now;
}

}  // namespace

Result<bool> take_note(EditContext& context, FileQuestions& questions, const std::string& file, const Save& save,
                       const Version& base, const SaveReading& reading) {
  const bool is_core = place_of(file) == Place::core;
  const bool is_dated = save.saved_at >= base.at && save.saved_at <= context.now;
  const auto newest = is_core ? TRY(bytes_of(context.vault, file, save.known.back())) : std::nullopt;
  const std::vector<SeenEntry> shown = newest ? see_file(Place::core, *newest).entries : std::vector<SeenEntry>();
  for (const Change& change : reading.changes) {
    if (!change.after && !is_decided_about(file, change.before)) {
      const bool is_told = change.before.has_metadata || (reading.undone && !is_core);
      if (is_told) TRY(log_change(context.vault, context.now, file, base, reading, change, taken_out));
      continue;
    }
    if (!change.before.has_metadata) continue;
    if (!change.after) {
      FileRecord& record = context.state.record(file);
      if (std::ranges::find(record.absent, change.before.id, &Absence::id) != record.absent.end()) continue;
      record.absent.push_back(TRY(questions.absence_of(file, change.before, is_dated ? save.saved_at : context.now, base)));
      TRY(log_change(context.vault, context.now, file, base, reading, change, "waits"));
    } else if (!is_core) {
      if (change.after->has_metadata) TRY(take_words_back_if_gone(context, file, change));
      TRY(log_change(context.vault, context.now, file, base, reading, change, "theirs"));
    } else {
      if (save.is_present && context.is_being_saved(file)) return false;  // it may say something else by now
      const auto bytes = TRY(core_to_follow(context, file, save, change.after->id));
      const SeenEntry* last = find_seen(shown, change.before.id);  // by now, however old the buffer was that was saved
      if (!last) last = &change.before;
      const bool is_corrected = !TRY(correct_line(context.memory, change.after->id, {last->hash, last->text}, bytes)).empty();
      if (is_corrected) {
        context.understood.corrected.push_back(change.before.id);
        context.evidence.logs_changed();
      }
      context.present.was_written(file);
      const bool has_ended =
          !is_corrected && TRY(context.evidence.logs())->is_removed(change.before.id);  // and nobody had told them
      TRY(log_change(context.vault, context.now, file, base, reading, change, is_corrected ? "corrected" : "theirs", has_ended));
    }
  }
  return true;
}

}  // namespace loci
