#include "vault/archive/tail_restoration.h"

#include <algorithm>
#include <optional>
#include <set>

#include "parser/parser.h"
#include "vault/archive/appended_entries.h"
#include "vault/archive/archive_file.h"
#include "vault/archive/archive_write.h"
#include "vault/archive/suspect_files.h"
#include "vault/archive/tail_verdicts.h"
#include "vault/git/git.h"
#include "vault/git/git_operation.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

constexpr int attempts = 5;                            // as for any append
constexpr int most_returns = 2;                        // while all that git did was to write its index
constexpr std::chrono::milliseconds git_limit{3'000};  // for one question: a daemon that is told to stop must not wait for long

using Ids = std::set<std::string, std::less<>>;
using Lost = std::vector<const AppendedEntry*>;

std::vector<std::string> ids_of(const Lost& entries) {
  std::vector<std::string> ids;
  for (const AppendedEntry* entry : entries) ids.push_back(entry->id);
  return ids;
}

// How the metadata of an entry begins, and of no other.
std::string start_of(const std::string& id) { return R"({"id":")" + id + '"'; }

// One look at the files that somebody else changed.
class Restoration {
 public:
  Restoration(const Vault& vault, const std::vector<SuspectFile>& files, const FindPlaces& find_places)
      : vault_(vault),
        files_(files),
        find_places_(find_places),
        git_(vault.root(), git_limit),
        moves_(git_moves_around(vault.root())),
        index_(git_fingerprint_around(vault.root())) {}

  // False if something was appended, which asks for another look.
  Result<bool> run(RestoredTails& restored) {
    appended_ = TRY(appended_entries(vault_));
    verdicts_ = TRY(read_tail_verdicts(vault_));
    auto gone = find_gone();
    TRY(note_as_meant(vault_, stand_again_, false));
    TRY(drop_removed(gone));
    TRY(drop_those_elsewhere(gone));
    drop_meant(gone);
    TRY(drop_what_git_took(gone));
    TRY(note_as_meant(vault_, ids_of(meant_), true));
    if (gone.empty()) {
      for (const SuspectFile& file : files_) write_tail_note(vault_, file.note);
      return true;
    }
    TRY(append(gone, restored));
    return false;
  }

 private:
  Lost find_gone() {
    Lost gone;
    for (const SuspectFile& file : files_)
      for (const AppendedEntry& entry : appended_) {
        if (entry.file != file.file) continue;
        const auto verdict = verdicts_.find(entry.id);
        const bool was_meant = verdict != verdicts_.end() && verdict->second.is_meant;
        const bool stands = file.ids.contains(entry.id) || file.texts.contains(entry.hash);
        if (stands && was_meant) stand_again_.push_back(entry.id);
        if (!stands && !was_meant) gone.push_back(&entry);
      }
    return gone;
  }

  Status drop_removed(Lost& gone) const {
    if (gone.empty()) return {};
    const auto chronicle = TRY(Chronicle::read(vault_));
    std::erase_if(gone, [&](const AppendedEntry* entry) { return chronicle.is_removed(entry->id); });
    return {};
  }

  // The index may know a file as it was: what it says is looked up.
  Status drop_those_elsewhere(Lost& gone) const {
    if (gone.empty()) return {};
    const Places places = TRY(find_places_(ids_of(gone)));
    std::map<std::string, std::string> contents;
    for (const auto& [id, files] : places) {
      bool stands = false;
      for (const std::string& file : files) {
        if (!contents.contains(file)) contents[file] = TRY(read_file_if_any(vault_.files(), vault_.file(file))).value_or("");
        stands = stands || contents[file].contains(start_of(id));
      }
      if (!stands && !files.empty()) return fail(ErrorCode::locked, "the index does not know yet what " + files[0] + " holds");
      std::erase_if(gone, [&](const AppendedEntry* entry) { return stands && entry->id == id; });
    }
    return {};
  }

  void drop_meant(Lost& gone) {
    std::map<std::string, Ids> in_front;  // by file
    for (const SuspectFile& file : files_) in_front[file.file] = in_front_of_what_stands(file);
    const auto is_meant = [&](const AppendedEntry* entry) {
      const SuspectFile& file = *std::ranges::find(files_, entry->file, &SuspectFile::file);
      return (!file.exists && moves_.empty()) || in_front[entry->file].contains(entry->id) || was_taken_out_again(*entry);
    };
    std::ranges::copy_if(gone, std::back_inserter(meant_), is_meant);
    std::erase_if(gone, is_meant);
  }

  // What was there when something was appended behind it that still is: gone, it was taken out.
  Ids in_front_of_what_stands(const SuspectFile& file) const {
    std::map<std::string, const AppendedEntry*, std::less<>> here;
    for (const AppendedEntry& entry : appended_)
      if (entry.file == file.file) here.emplace(entry.id, &entry);
    Ids in_front;
    for (const auto& [id, last] : here)
      for (auto place = file.ids.contains(id) ? here.find(last->behind) : here.end();
           place != here.end() && in_front.insert(place->first).second;)
        place = here.find(place->second->behind);
    return in_front;
  }

  const CameBack* came_back(const AppendedEntry& entry) const {
    const auto verdict = verdicts_.find(entry.id);
    return verdict != verdicts_.end() && verdict->second.came_back ? &*verdict->second.came_back : nullptr;
  }

  bool was_taken_out_again(const AppendedEntry& entry) const {
    const CameBack* before = came_back(entry);
    if (!before || before->git != moves_) return false;
    return before->index == index_ || before->times >= most_returns;
  }

  Status drop_what_git_took(Lost& gone) {
    if (gone.empty() || moves_.empty()) return {};
    Lost missing;  // from HEAD as well
    for (const AppendedEntry* entry : gone) {
      const bool head_has_it = TRY(ids_at_head(entry->file))->contains(entry->id);
      if (!head_has_it) missing.push_back(entry);
      if (head_has_it && came_back(*entry)) meant_.push_back(entry);
    }
    const Ids held = TRY(held_by_git(missing));
    std::erase_if(gone, [&](const AppendedEntry* entry) {
      return std::ranges::find(meant_, entry) != meant_.end() || held.contains(entry->id);
    });
    return {};
  }

  Result<const Ids*> ids_at_head(const std::string& file) {
    if (const auto known = at_head_.find(file); known != at_head_.end()) return &known->second;
    Ids ids;
    const auto bytes = git_.file_at("HEAD", file);
    if (!bytes && bytes.error().code != ErrorCode::not_found) return std::unexpected(bytes.error());
    if (bytes && *bytes)  // else there is no commit yet, or it was not in it
      for (const ParsedEntry& entry : parse(**bytes).entries) ids.insert(entry.id);
    return &(at_head_[file] = std::move(ids));
  }

  Result<Ids> held_by_git(const Lost& entries) const {
    Ids held;
    if (entries.empty()) return held;
    std::set<std::string> starts;
    for (const AppendedEntry* entry : entries) starts.insert(start_of(entry->id));
    // Whatever holds one of them came after the first of them was appended.
    const auto first = std::ranges::min(entries, {}, &AppendedEntry::first_sequence);
    const auto found = TRY(git_.held(starts, first->first_head));
    for (const AppendedEntry* entry : entries)
      if (found.contains(start_of(entry->id))) held.insert(entry->id);
    return held;
  }

  Status append(const Lost& lost, RestoredTails& restored) const {
    std::map<std::string, std::pair<ArchiveStem, Lost>> by_stem;
    for (const AppendedEntry* entry : lost) {
      const ArchiveStem stem = *stem_of_file(entry->file);
      auto& [place, entries] = by_stem[stem.stem];
      place = stem;
      entries.push_back(entry);
    }
    for (auto& [name, place] : by_stem) {
      auto& [stem, entries] = place;
      std::ranges::sort(entries, {}, &AppendedEntry::first_sequence);
      const std::string file = TRY(append(stem, entries));
      TRY(note_as_back(vault_, ids_of(entries), {.file = file, .git = moves_, .index = index_}));
      restored.files.push_back(file);
      std::ranges::move(ids_of(entries), std::back_inserter(restored.ids));
    }
    return {};
  }

  Result<std::string> append(const ArchiveStem& stem, const Lost& lost) const {
    std::string blocks;
    for (const AppendedEntry* entry : lost) {
      (blocks += '\n') += entry->block;
      if (!blocks.ends_with('\n')) blocks += '\n';
    }
    for (int attempt = 0; attempt < attempts; ++attempt) {
      const auto archive = TRY(open_archive(vault_, stem, blocks.size() + 1));
      const auto written = TRY(write_journalled(vault_, archive, archive.tail.final_newline ? blocks : '\n' + blocks));
      if (written) return archive.file;
    }
    return fail(ErrorCode::failed, stem.stem + ".md is being replaced by another program again and again",
                "close what is saving it; what it cut off is appended again then");
  }

  const Vault& vault_;
  const std::vector<SuspectFile>& files_;
  const FindPlaces& find_places_;
  Git git_;
  std::string moves_, index_;  // of git; empty: there is no repository
  std::vector<AppendedEntry> appended_;
  TailVerdicts verdicts_;
  std::vector<std::string> stand_again_;
  Lost meant_;
  std::map<std::string, Ids> at_head_;
};

}  // namespace

Result<RestoredTails> restore_archive_tails(const Vault& vault, const FindPlaces& find_places) {
  RestoredTails restored;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Suspects suspects = TRY(suspect_files(vault));
    restored.is_open = suspects.at_rest_in.has_value();
    if (suspects.files.empty()) return restored;
    if (git_operation_around(vault.root())) break;
    if (TRY(Restoration(vault, suspects.files, find_places).run(restored))) return restored;
  }
  restored.is_open = true;
  return restored;
}

}  // namespace loci
