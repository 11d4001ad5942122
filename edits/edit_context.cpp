#include "edits/edit_context.h"

#include "parser/text_hash.h"
#include "vault/git/git_operation.h"

namespace loci {

EditContext::EditContext(Memory& memory_of_vault, EditState& state_before, const GitStand& git, std::string git_marks)
    : memory(memory_of_vault),
      vault(memory.vault()),
      state(state_before),
      now(memory.now()),
      evidence(vault, state.git, git),
      present(vault, now),
      git_marks_(std::move(git_marks)) {}

OtherPlaces& EditContext::other_places() {
  if (!other_places_) {
    (void)memory.catch_up_with_changes();
    other_places_.emplace(memory);
  }
  return *other_places_;
}

Result<std::set<std::string>> EditContext::that_stand_elsewhere(const std::string& file, std::span<const SeenEntry> before,
                                                                std::span<const SeenEntry> after) {
  std::set<std::string> ids;
  if (place_of(file) == Place::core) return ids;
  std::set<std::string> said;
  for (const SeenEntry& entry : after) said.insert({entry.hash, loose_text_hash(entry.text)});
  for (const SeenEntry& entry : before) {
    if (find_seen(after, entry.id)) continue;
    const std::string loose = loose_text_hash(entry.text);
    const bool is_said = said.contains(entry.hash) || said.contains(loose);
    // The file itself may say something else by now than what was read: a save was under way, or git.
    if (is_said || TRY(other_places().have(entry.id, entry.hash, loose, file))) ids.insert(entry.id);
  }
  return ids;
}

std::set<std::string> EditContext::other_files_with(const std::string& file, std::span<const SeenEntry> before,
                                                    std::span<const SeenEntry> after) {
  std::set<std::string> files;
  for (const SeenEntry& entry : before)
    if (entry.has_metadata && !find_seen(after, entry.id))
      files.merge(other_places().files_with(entry.id, entry.hash, loose_text_hash(entry.text)));
  files.erase(file);
  return files;
}

bool EditContext::look_again() {
  waits = true;
  understood.look_again_in(std::chrono::milliseconds(0));
  return true;
}

bool EditContext::is_being_saved(const std::string& file) { return present.has_changed(file) && look_again(); }

bool EditContext::git_has_moved() { return git_fingerprint_around(vault.root()) != git_marks_ && look_again(); }

bool EditContext::git_is_busy() { return git_has_moved() || (git_is_writing_around(vault.root()) && look_again()); }

}  // namespace loci
