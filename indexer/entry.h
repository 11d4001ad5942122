// An entry as the index returns it: what a file says, and what the logs make of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parser/metadata.h"
#include "vault/layout/layout.h"

namespace loci {

using RowId = std::uint32_t;  // of an entry in the index; 0 is none. Means nothing after a rebuild.

struct EntryPlace {
  std::string file;
  int line = 0;
  int line_end = 0;

  bool operator==(const EntryPlace&) const = default;
};

struct Entry {
  RowId row = 0;
  std::string id;
  Layer layer = Layer::L1;
  Place place = Place::note;
  EntryKind kind = EntryKind::fact;
  Source source = Source::user;      // as believed
  std::optional<double> confidence;  // only if the metadata gave a valid one
  std::optional<Instant> at;         // of consolidated/ the day `updated`, else metadata, else the file name's date, else the
                                     // front matter's
  std::string updated;
  std::string text;
  std::string hash;                // 32 hex digits
  std::vector<EntryPlace> places;  // the four memory places before notes, each by path and line;
                                   // the first one is "file" and "line"
  std::vector<std::string> section, tags;
  std::string role, project, task, session;
  std::optional<std::int64_t> turn;
  std::string category, corrects, first_seen, ref;
  std::vector<std::string> about, sources, from;
  bool has_metadata = false;
  bool edited = false;        // the text differs from its `sum`: a person changed it
  bool active = true;         // false: deleted or corrected
  bool pending = false;       // an archive fact that is not settled
  std::string superseded_by;  // of an inactive entry, if known

  bool operator==(const Entry&) const = default;
};

}  // namespace loci
