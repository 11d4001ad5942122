#include "edits/renames.h"

#include <algorithm>
#include <map>

#include "edits/other_places.h"
#include "vault/layout/scan.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

bool is_candidate(const std::string& file) { return has_versions(file) && place_of(file) == Place::consolidated; }

bool has_metadata(const SeenFile& seen) { return std::ranges::any_of(seen.entries, &SeenEntry::has_metadata); }

class Renames {
 public:
  Renames(const Vault& vault, EditState& state, PresentFiles& present) : vault_(vault), state_(state), present_(present) {
    for (const FileRecord& record : state.files)
      if (record.looked_at) looked_at_.insert(record.file);
  }

  Status follow(std::set<std::string>& files) {
    for (const std::string& file : files) TRY(sort_in(file));
    if (new_.empty() && gone_.empty()) return {};
    // The two names of one file need not be told of together.
    const auto standing = watched_files(vault_);
    if (gone_.empty())
      for (const std::string& file : TRY(files_with_versions(vault_, standing))) TRY(sort_in(file));
    if (new_.empty())
      for (const std::string& file : standing) TRY(sort_in(file));
    for (const std::string& file : gone_) {
      const std::string name = TRY(new_name_of(file));
      if (name.empty()) continue;
      TRY(move_to(file, name));
      new_.erase(name);
      files.insert(name);
    }
    return {};
  }

 private:
  Status sort_in(const std::string& file) {
    if (!is_candidate(file)) return {};
    std::error_code error;
    const bool exists = std::filesystem::exists(vault_.file(file), error);
    if (exists && (looked_at_.contains(file) || is_ignored(vault_, file))) return {};
    const PresentFile& now = present_.of(file);
    if (now.exists && (!now.readable || !has_metadata(now.seen))) return {};
    const auto versions = TRY(versions_of(vault_, file));
    if (now.exists && versions.empty()) new_.insert(file);
    if (!now.exists && !versions.empty() && versions.back().size > 0) gone_.insert(file);
    return {};
  }

  // As git tells a rename: more than half of what stands in either stands in both. Of several, what has most. What a question says
  // is missing from a file need not be in the new one.
  Result<std::string> new_name_of(const std::string& file) {
    if (new_.empty()) return std::string();
    const auto versions = TRY(versions_of(vault_, file));
    const auto bytes = TRY(bytes_of(vault_, file, versions.back()));
    if (!bytes) return std::string();
    const SeenFile newest = see_file(Place::consolidated, *bytes);
    const auto before = ids_of(newest);
    auto left = before;
    if (const FileRecord* record = state_.find(file); record && record->question)
      for (const Absence& gone : record->question->gone) left.erase(gone.id);
    std::string name;
    double most = 0.5;
    for (const std::string& candidate : new_) {
      const auto now = ids_of(present_.of(candidate).seen);
      const double share = std::max(share_of(before, now), share_of(left, now));
      if (share <= most) continue;
      most = share;
      name = candidate;
    }
    return name;
  }

  static std::set<std::string_view> ids_of(const SeenFile& seen) {
    std::set<std::string_view> ids;
    for (const SeenEntry& entry : seen.entries)
      if (entry.has_metadata) ids.insert(entry.id);
    return ids;
  }

  static double share_of(const std::set<std::string_view>& before, const std::set<std::string_view>& now) {
    const auto in_both =
        static_cast<double>(std::ranges::count_if(now, [&](const std::string_view id) { return before.contains(id); }));
    return in_both / static_cast<double>(std::max<size_t>({before.size(), now.size(), 1}));
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

  const Vault& vault_;
  EditState& state_;
  PresentFiles& present_;
  std::set<std::string> looked_at_, new_, gone_;
};

}  // namespace

Status follow_renames(const Vault& vault, EditState& state, PresentFiles& present, std::set<std::string>& files) {
  return Renames(vault, state, present).follow(files);
}

}  // namespace loci
