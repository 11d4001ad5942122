// A file as it is now beside what the index has of it: which places stand as they were, which are new, which are gone.
// Reading and comparing only; nothing is written here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "indexer/file_table.h"
#include "vault/layout/vault.h"

namespace loci {

// One entry that the file has now.
struct Candidate {
  StoredEntry entry;
  std::uint64_t content = 0;
  std::uint32_t line = 0, line_end = 0;
  std::optional<size_t> before;  // the old slot that it is, word for word
  RowId row = 0;                 // once it is settled
  std::string lost_claim;        // its id in the file, if another entry has that id

  // The id that only one entry of a vault may have; empty: its id is its text's hash, which many places may share.
  std::string_view claim() const { return is_hash_id(entry.id) ? std::string_view{} : std::string_view(entry.id); }
};

// The first or last slots of a file, which stand in a part that was not read again.
struct KeptSlots {
  size_t count = 0;
  std::vector<RowId> rows;  // theirs, sorted

  bool have(RowId row) const;
};

struct LoadedFile {
  KnownFile known;  // id 0: new
  std::string path;
  bool is_gone = false;  // nothing is there any more
  FileState state;
  std::int64_t indexed_at = 0;
  FileDetails details;  // as they will be, but for the layout
  FileTraits traits;
  std::vector<Slot> old_slots;
  KeptSlots above, below;             // of the old ones
  int lines_moved = 0;                // so much further down are those below now
  std::vector<Candidate> candidates;  // of the part between them, which was read
  bool unreadable = false;            // what the index has stays
  bool same_bytes = false;            // only the stat is new

  bool is_partial() const { return above.count + below.count > 0; }
  bool keeps(RowId row) const { return above.have(row) || below.have(row); }
};

// A whole file, parsed and made ready, on any thread: pure.
struct Reading {
  FileDetails details;  // but for the layout
  std::vector<Candidate> candidates;
};
Reading read_whole(std::string_view bytes, FileTraits traits);

class FileLoader {
 public:
  FileLoader(const Vault& vault, Database& database, EntryStore& entries, FileTable& files, SlotStore& slots)
      : vault_(vault), database_(database), entries_(entries), files_(files), slots_(slots) {}

  // `state`: as it stands on disk; none: it is gone. `whole`: everything is read again even if only a part of it changed. A file
  // that there is not enough memory for is unreadable.
  LoadedFile load(const std::string& path, const std::optional<FileState>& state, bool whole);

 private:
  LoadedFile recall(const std::string& path, const std::optional<FileState>& state);
  void read(LoadedFile& file, bool whole);
  bool may_read_a_part(const LoadedFile& file);
  // False, with the file as it was: a part is not enough.
  bool read_part(LoadedFile& file, std::string_view bytes);
  void read_all(LoadedFile& file, std::string_view bytes);
  bool concerns_kept_parts(const LoadedFile& file);

  const Vault& vault_;
  Database& database_;
  EntryStore& entries_;
  FileTable& files_;
  SlotStore& slots_;
};

// Takes the candidate with this id, and the old slot that it was, for new: who has the id has to be settled again. False: that
// is nothing new.
bool unmatch(LoadedFile& file, std::string_view id);

// For each old slot: whether the file still has it, word for word.
std::vector<bool> standing_slots(const LoadedFile& file);

}  // namespace loci
