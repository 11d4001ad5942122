// The files as they are at one time of understanding, each read once. One thread at a time.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "edits/edit_state.h"
#include "edits/seen_file.h"
#include "vault/layout/scan.h"
#include "vault/layout/vault.h"

namespace loci {

struct PresentFile {
  bool exists = false, readable = true;
  std::string bytes;
  SeenFile seen;
  std::optional<FileSignature> signature;  // none: it was written too short a time ago to be known by it
  std::optional<FileState> state;          // of what was read; none: the file was away
  Instant saved_at;
};

// Without reading it: the file is the one that was looked at. `known`: null if it never was.
bool stands_as_looked_at(const Vault& vault, const FileRecord* known);

class PresentFiles {
 public:
  PresentFiles(const Vault& vault, Instant now) : vault_(vault), now_(now) {}

  const PresentFile& of(const std::string& file);  // relative; valid until it was written
  // What is said in it, but for promoted lines: the hash of each text, and that of the text without its marks -> its id.
  const std::map<std::string, std::string>& words_of(const std::string& file);
  void was_written(const std::string& file) {
    files_.erase(file);
    words_.erase(file);
  }

  // Since it was read, or while it was: somebody is saving it, and what was read is perhaps half of that.
  bool has_changed(const std::string& file);

 private:
  PresentFile read(const std::string& file) const;

  const Vault& vault_;
  const Instant now_;
  std::map<std::string, PresentFile> files_;
  std::map<std::string, std::map<std::string, std::string>> words_;
};

}  // namespace loci
