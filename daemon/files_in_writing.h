// How a file looks while somebody may be writing it: as a scan finds it, which no event told of, and as it looks when an event's
// time has come. Of one thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "indexer/index_reader.h"
#include "vault/layout/vault.h"
#include "watcher/change_set.h"

namespace loci {

// The files that a scan found in the middle of being written, and since when.
class FilesInWriting {
 public:
  explicit FilesInWriting(const Vault& vault) : vault_(vault) {}  // which outlives it

  // Is it empty, unreadable, or from this very moment? Not if it has looked so for long enough.
  bool has(const std::string& file, SteadyTime now) const;
  // These are all that the last scan found.
  void keep(const std::set<std::string>& found, SteadyTime now);

 private:
  const Vault& vault_;
  std::map<std::string, SteadyTime> since_;
};

// What a file holds and what the index says that it held. The index is opened if it is asked for, and once.
class GlanceAtFile {
 public:
  explicit GlanceAtFile(const Vault& vault) : vault_(vault) {}
  Glance operator()(const std::string& file);

 private:
  const Vault& vault_;
  std::optional<IndexReader> reader_;
};

}  // namespace loci
