// What loci saw last of the files whose edits mean something, kept in <state folder>/edits/ (0600). Derived from looking: if it is
// lost or broken, everything counts as seen for the first time, and at worst a removal goes unnoticed.
//
//   state.json           git's state, and a record a file: what is missing from it, what was reworded, what a person is asked
//   accepted/<name>.md   the file's bytes when last nothing about it was in question
//   absent/<name>.md     the entries that are missing, with their metadata
//
// The daemon and `loci resolve` both use it: whoever reads it to change it holds the lock until it is saved.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/process_lock.h"
#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

// Something that a person has to decide, with `loci resolve`.
struct Question {
  enum class Kind : std::uint8_t {
    wholesale,  // more than 3 and more than 10 % of the entries changed or went at once
    gone,       // the whole file went
    conflict,   // conflict markers of git stand in it: never in the state, only told
  };
  std::string file;
  Kind kind = Kind::wholesale;
  Instant since;
  size_t removed = 0, changed = 0;  // entries with metadata, or promoted lines
  size_t touched = 0, entries = 0;  // of all, before
  std::vector<std::string> held;    // ids whose text must not gain a person's trust meanwhile

  bool operator==(const Question&) const = default;
};

// An entry, or a promoted line, that is no longer in its file.
struct Absence {
  std::string id;
  std::string hash;
  std::vector<std::string> from;  // the facts that it rests on

  bool operator==(const Absence&) const = default;
};

// A promoted line that says something else than what was promoted.
struct Rewording {
  std::string ref;
  std::string shown;    // the hash of what stood there
  std::string present;  // the hash of what stands there now

  bool operator==(const Rewording&) const = default;
};

struct FileRecord {
  std::string file;  // relative to the vault's root
  std::vector<Absence> absent;
  std::vector<Rewording> reworded;
  std::optional<Question> question;

  bool has_pending() const { return !absent.empty() || !reworded.empty() || question; }
  bool operator==(const FileRecord&) const = default;
};

class EditState {
 public:
  // Takes the lock, waiting at most `patience` (ErrorCode::locked), and reads. `vault` has to outlive it.
  static Result<EditState> open(const Vault& vault, std::chrono::milliseconds patience);
  // Only looks: no lock, and what it says may be older than the files.
  static Result<std::vector<FileRecord>> peek(const Vault& vault);

  std::string git;  // when the files were last looked at
  std::vector<FileRecord> files;

  FileRecord* find(std::string_view file);
  FileRecord& record(const std::string& file);  // made if there is none

  // The bytes that were last accepted; none if the file was never seen.
  Result<std::optional<std::string>> accepted(const std::string& file) const;
  Status accept(const std::string& file, std::string_view bytes);
  // The file is gone, and nobody asks for it.
  Status forget_file(const std::string& file);

  // The markdown of a missing entry; empty if it was not kept. Kept entries stay until none of the file's is missing any more.
  Result<std::string> absent_markdown(const std::string& file, const std::string& id) const;
  Status keep_absent(const std::string& file, std::string_view markdown);
  Status drop_absent(const std::string& file);

  // Writes the records if they differ from what was read.
  Status save();

 private:
  EditState(const Vault& vault, ProcessLock lock) : vault_(&vault), lock_(std::move(lock)) {}
  path copy_of(std::string_view folder, const std::string& file) const;
  Status write_copy(std::string_view folder, const std::string& file, std::string_view bytes);

  const Vault* vault_;
  ProcessLock lock_;
  std::string saved_;
};

}  // namespace loci
