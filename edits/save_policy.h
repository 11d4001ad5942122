// What a person meant by a save, as far as it can be told: pure functions over what a file said before, what it says now, and what
// else is known. They decide for consolidated/ (entries by id) and for the core of MEMORY.md (promoted lines by `ref`) alike.
//
// In doubt nothing is deleted: a deletion that was missed costs little, one that nobody meant costs a memory.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace loci {

// An entry, or a line between the markers of MEMORY.md, as a look at its file found it.
struct SeenEntry {
  std::string id;            // of a promoted line its ref; of text without metadata that of its hash
  std::string hash;          // 32 hex digits
  bool has_metadata = true;  // a promoted line has its ref
  bool edited = false;       // the text differs from its `sum`

  bool operator==(const SeenEntry&) const = default;
};

struct SaveEvidence {
  bool file_is_gone = false;
  bool by_git = false;                   // git moved since the file was last looked at: what differs may come from there
  std::set<std::string> explained = {};  // ids whose change or removal a log tells of
  std::set<std::string> last_run = {};   // ids that the last run wrote into this file
};

struct SaveVerdict {
  bool ask = false;                  // nothing is decided: it waits for `loci resolve`
  std::vector<std::string> removed;  // ids that the person took out; to be waited for, or asked about
  std::vector<std::string> changed;  // ids whose text a person changed
  std::vector<std::string> held;     // of those, the ones that must not gain a person's trust while it waits
  size_t touched = 0;                // changed or gone and not explained, text without metadata included
  size_t entries = 0;                // before
};

SaveVerdict judge_save(const std::vector<SeenEntry>& before, const std::vector<SeenEntry>& after, const SaveEvidence& evidence);

// What has been gone, or reworded, for a while.
enum class PendingVerdict : std::uint8_t {
  wait,
  dismiss,  // it was no person, or it was taken back
  settle,   // the person means it
};

struct PendingEvidence {
  bool taken_back = false;             // it is in the file again, as it was
  bool explained = false;              // a log tells of it
  bool elsewhere = false;              // it stands in another place of the vault now
  bool by_git = false;                 // git moved since it was last in the file
  bool undecided_file = false;         // a question about its file waits
  std::chrono::milliseconds wall{};    // since it was first seen, by the clock that people set
  std::chrono::milliseconds steady{};  // and by one that only runs forward, in this process
};

inline constexpr std::chrono::minutes absence_settles{10};
inline constexpr std::chrono::minutes rewording_settles{1};

PendingVerdict judge_pending(const PendingEvidence& evidence, std::chrono::milliseconds settles);

}  // namespace loci
