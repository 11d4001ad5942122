// What a person did to a file, told from the versions that are known of it: from which of them it was made, and how it differs from
// that one. For consolidated/ (entries by id) and for the core of MEMORY.md (promoted lines by ref) alike. Pure.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "edits/seen_file.h"

namespace loci {

// A version with what loci did to make it.
struct KnownVersion {
  std::vector<SeenEntry> entries;
  bool by_loci = false;  // it was written over the version in front of it
  std::set<std::string> sections = {};
  FileFrame frame = {};
};

enum class Made : std::uint8_t {
  from_newest,      // what differs from the newest version is the person's
  from_old_buffer,  // what differs from an older one is; what loci wrote since is missing
};

struct Change {
  SeenEntry before;
  std::optional<SeenEntry> after;  // none: it is gone
};

struct SaveReading {
  Made made = Made::from_newest;
  size_t base = 0;  // index of the version
  std::vector<Change> changes;
  size_t same = 0;  // entries of the base that stand as they stood
  // The file equals an older version in all that a person may change: it may be an old buffer, saved again as it was.
  bool undone = false;
  size_t same_as = 0;  // that version, if so
};

// `known`, oldest first, has at least one version. `explained` says of an entry of a version what the logs account for: that it is
// gone (no `after`), or says something else. Order, headings and line ends count as differences, too. Older versions are asked for
// one by one, from the newest on, until one settles it.
using Explained = std::function<bool(const SeenEntry& before, const SeenEntry* after)>;
// `frame`: of the file as it is.
SaveReading read_save(std::span<const KnownVersion> known, std::span<const SeenEntry> present, const FileFrame& frame,
                      const Explained& explained);

// The differences, without what is explained.
std::vector<Change> changes_between(std::span<const SeenEntry> before, std::span<const SeenEntry> after,
                                    const Explained& explained);

// The entries of which loci's writes were the last to change what they say, or that they are there. `known`: oldest first.
std::set<std::string> changed_last_by_loci(std::span<const KnownVersion> known, std::span<const SeenEntry> present);

// More than so many additions of loci's that are missing from a file that equals an older version are a question.
inline constexpr size_t most_undone = 3;

// How much one text has of another, in [0, 1]: what they begin and end with alike.
double nearness(std::string_view text, std::string_view other);

// The id of an act: understood twice, by two machines or after a crash, it is one act. `after` is empty if the entry went.
std::string act_id(std::string_view entry, std::string_view hash_before, std::string_view hash_after);
// Is it the id of an act? Else of a run.
bool is_act(std::string_view id);

}  // namespace loci
