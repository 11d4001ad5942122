// What is known of the edits of each file that loci rewrites, beside its versions: what is missing from it and since when, what a
// person is asked. In <state folder>/edits/state.json (0600). Derived: if it is lost or
// broken, nothing is concluded from what is missing.
//
// The daemon and every command that rewrites use it: whoever reads it to change it holds the lock until it is saved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/process_lock.h"
#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

// An entry, or a promoted line, that is no longer in its file.
struct Absence {
  std::string id;
  std::string hash;
  std::vector<std::string> from;  // the facts that it rests on
  Instant since;
  std::string version;  // the hash of the version that it stood in
  // The file in which its words stand all the same, without its comment: as long as they do nobody took it out. Empty: in none.
  std::string said_in = {};

  bool operator==(const Absence&) const = default;
};

// Something that a person has to decide, with `loci resolve`.
struct Question {
  enum class Kind : std::uint8_t {
    wholesale,   // more than 3 and more than 10 % of the entries changed or went at once
    gone,        // the whole file went
    missing,     // the ledger names entries that stand nowhere, and no version tells how they went
    unreadable,  // the file is too large, or cannot be read: it goes when it can be
    hidden,      // comments of entries stand in it that are not read as such (edits/hidden_entries.h): it goes when that is mended
    stuck,       // what follows from its edits cannot be written now: it goes when it can be
    conflict,    // conflict markers of git stand in it: never in the state, only told
  };
  std::string file;
  Kind kind = Kind::wholesale;
  int line = 0;          // 1-based: where to look; 0: the whole file
  std::string why = {};  // what keeps the edit from being carried out, if that is why it is asked about
  Instant since;
  size_t removed = 0, changed = 0;  // entries with metadata, or promoted lines
  size_t touched = 0, entries = 0;  // of all, before
  std::string before;               // the hash of the version that it was made from
  // What is no longer there, with what had gone before that and was not decided: of that the version is another one than `before`.
  std::vector<Absence> gone;

  bool operator==(const Question&) const = default;
};

// Whether a person's answer ends it. The others end by themselves, once what is in the way is gone.
constexpr bool ends_by_answer(Question::Kind kind) {
  return kind != Question::Kind::unreadable && kind != Question::Kind::hidden && kind != Question::Kind::stuck;
}

// What tells without reading it that a file is the one that was looked at.
struct FileSignature {
  std::uint64_t size = 0, inode = 0;
  std::int64_t mtime_ns = 0, ctime_ns = 0;

  bool operator==(const FileSignature&) const = default;
};

struct FileRecord {
  std::string file;  // relative to the vault's root
  std::optional<FileSignature> looked_at;
  std::vector<Absence> absent;
  std::optional<Question> question;
  // Another sync tool may have brought these bytes before the logs that explain them: since when they are waited for.
  std::string unsure_of;  // their hash
  std::optional<Instant> unsure_since, unsure_first;
  std::vector<Absence> unsure_absent;  // and what they lack
  std::optional<Instant> gone_since;   // MEMORY.md only

  bool operator==(const FileRecord&) const = default;
};

// Where git stood when the files were last understood; empty without git.
struct GitStand {
  std::string branch, commit, stash;
  std::string fingerprint;  // as long as it is the same, git did nothing

  bool operator==(const GitStand&) const = default;
};

class EditState {
 public:
  // Takes the lock, waiting at most `patience` (ErrorCode::locked), and reads. `vault` has to outlive it.
  static Result<EditState> open(const Vault& vault, std::chrono::milliseconds patience);
  // Only looks: no lock, and what it says may be older than the files.
  static Result<std::vector<FileRecord>> peek(const Vault& vault);
  static Result<GitStand> peek_git(const Vault& vault);

  GitStand git;
  std::vector<FileRecord> files;

  FileRecord* find(std::string_view file);
  FileRecord& record(const std::string& file);  // made if there is none
  void forget_file(std::string_view file);

  // Writes the records if they differ from what was read.
  Status save();

 private:
  EditState(const Vault& vault, ProcessLock lock) : vault_(&vault), lock_(std::move(lock)) {}

  const Vault* vault_;
  ProcessLock lock_;
  std::string saved_;
};

// What is missing from its file, or asked about: whether a person took it out is not decided yet. No run brings it back.
struct UndecidedAbsences {
  std::vector<Absence> entries;
  std::vector<Absence> lines;  // of the core: by what they show, which stands
};
UndecidedAbsences undecided_absences(const Vault& vault);

}  // namespace loci
