#include "edits/renames.h"

#include <algorithm>
#include <map>

#include "edits/other_places.h"
#include "edits/saves.h"
#include "vault/layout/scan.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

bool is_candidate(const std::string& file) { return has_versions(file) && place_of(file) == Place::consolidated; }

using Ids = std::set<std::string>;

Ids ids_of(std::span<const SeenEntry> entries) {
  Ids ids;
  for (const SeenEntry& entry : entries)
    if (entry.has_metadata) ids.insert(entry.id);
  return ids;
}

// Of the larger one, what stands in both.
double share_of(const Ids& before, const Ids& now) {
  const auto in_both = static_cast<double>(std::ranges::count_if(now, [&](const std::string& id) { return before.contains(id); }));
  return in_both / static_cast<double>(std::max<size_t>({before.size(), now.size(), 1}));
}

// What stood in an earlier file of that name, before it went, is none of this one's.
std::vector<Version> since_it_was_made(const std::vector<Version>& versions) {
  const auto empty = std::ranges::find(versions.rbegin(), versions.rend(), std::uint64_t{0}, &Version::size);
  return {empty.base(), versions.end()};
}

class Renames {
 public:
  explicit Renames(EditContext& context)
      : context_(context), vault_(context.vault), state_(context.state), present_(context.present) {}

  Status follow(std::set<std::string>& files) {
    for (const std::string& file : files) TRY(sort_in(file));
    if (new_.empty() && gone_.empty()) return {};
    // The two names of one file need not be told of together.
    const auto standing = watched_files(vault_);
    if (gone_.empty())
      for (const std::string& file : TRY(files_with_versions(vault_, standing))) TRY(sort_in(file));
    if (new_.empty())
      for (const std::string& file : standing) TRY(sort_in(file));
    for (const Rename& rename : likely_renames()) {
      if (!gone_.contains(rename.file) || !new_.contains(rename.name)) continue;  // one of the two is another one's
      TRY(move_to(rename.file, rename.name));
      gone_.erase(rename.file);
      new_.erase(rename.name);
      files.insert(rename.name);
    }
    return {};
  }

 private:
  Status sort_in(const std::string& file) {
    if (!is_candidate(file) || stands_as_looked_at(vault_, state_.find(file))) return {};
    std::error_code error;
    if (std::filesystem::exists(vault_.file(file), error) && is_ignored(vault_, file)) return {};
    const PresentFile& now = present_.of(file);
    if (!now.readable) return {};
    const bool has_entries = !ids_of(now.seen.entries).empty();
    const auto versions = TRY(versions_of(vault_, file));
    const bool stood_there = !versions.empty() && versions.back().size > 0;
    if (has_entries && !stood_there && !is_waited_for(file)) new_.insert(file);
    if (has_entries || !stood_there) return {};
    const auto known = TRY(known_versions(vault_, file, since_it_was_made(versions)));
    std::vector<Ids> had;
    for (const KnownVersion& version : known.versions) had.push_back(ids_of(version.entries));
    if (had.empty() || had.back().empty() || (now.exists && context_.is_being_saved(file))) return {};
    gone_.emplace(file, std::move(had));
    return {};
  }

  // What a person took out of a file that had this name is not decided yet: that stays a matter of this one.
  bool is_waited_for(const std::string& file) const {
    const FileRecord* record = state_.find(file);
    return record && (record->question || !record->absent.empty());
  }

  struct Rename {
    std::string file, name;
    bool from_newest = true;
    double share = 0;
  };

  // As git tells a rename: more than half of what stands in either stands in both. First what has most in both. An old buffer that
  // was saved last has what an older version had; what was moved out of the file into a new one may look like that, too.
  std::vector<Rename> likely_renames() {
    std::vector<Rename> renames;
    for (const auto& [file, had] : gone_)
      for (const std::string& name : new_) {
        const Ids now = ids_of(present_.of(name).seen.entries);
        const double newest = std::max(share_of(had.back(), now), share_of(left_of(file, had.back()), now));
        double older = 0;
        for (const Ids& before : had) older = std::max(older, share_of(before, now));
        if (newest > 0.5)
          renames.push_back({file, name, true, newest});
        else if (older > 0.5)
          renames.push_back({file, name, false, older});
      }
    std::ranges::stable_sort(renames, std::ranges::greater(),
                             [](const Rename& one) { return std::pair(one.from_newest, one.share); });
    return renames;
  }

  // What a question says is missing from a file need not be in the new one.
  Ids left_of(const std::string& file, Ids had) {
    if (const FileRecord* record = state_.find(file); record && record->question)
      for (const Absence& gone : record->question->gone) had.erase(gone.id);
    return had;
  }

  // Whoever dies in the middle has the old name looked at as that of a file that is gone.
  Status move_to(const std::string& file, const std::string& name) {
    TRY(copy_versions(vault_, file, name));
    if (FileRecord* record = state_.find(file)) {
      FileRecord moved = *record;
      state_.forget_file(file);
      state_.forget_file(name);
      moved.file = name;
      moved.looked_at.reset();
      if (moved.question) moved.question->file = name;
      state_.files.push_back(std::move(moved));
    }
    TRY(state_.save());
    return note_version(vault_, file, Version::Kind::understood, {});
  }

  EditContext& context_;
  const Vault& vault_;
  EditState& state_;
  PresentFiles& present_;
  std::set<std::string> new_;
  std::map<std::string, std::vector<Ids>> gone_;  // with the entries that their versions had, oldest first
};

}  // namespace

Status follow_renames(EditContext& context, std::set<std::string>& files) { return Renames(context).follow(files); }

}  // namespace loci
