// What consolidation works on: the facts that are pending and the entries of consolidated/, as the index and the files have them at
// one moment. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "memory/former_states.h"
#include "parser/metadata.h"

namespace loci {

inline constexpr int failures_quarantine = 3;  // so often a fact's cluster may fail before the fact is left alone

// What a fact was before a person corrected it.
struct FactVersion {
  std::string id;
  std::string corrects;  // the id that it says replaces, if any
  std::optional<Instant> at;
  Source source = Source::user;
};

// A pending fact of the archive.
struct Fact {
  std::string id;
  std::string hash;  // 32 hex digits of its present text
  std::string text;
  Source source = Source::user;  // as believed
  std::optional<Instant> at;
  std::string day;  // of the file that it stands in, "2026-11-21"; of `at` where that has none
  std::string file;
  std::vector<std::string> about, tags;
  std::string project;
  std::string corrects;              // the id that it says replaces, if any
  std::vector<FactVersion> earlier;  // of what it corrects, as far as that is facts
  int failures = 0;                  // runs in which its cluster failed
  bool quarantined = false;          // it failed too often: only --force tries it again
  bool is_private = false;           // [privacy] never_send: in no prompt
  std::optional<size_t> stands_in;   // the entry that says it word for word: settled so, and offered once more
};

// Does an entry say what its fact says word for word, because nothing else was accepted?
enum class AsSaid : std::uint8_t { no, to_be_offered, offered_again };  // 0, 1, 2 in the metadata

// What consolidation keeps of an entry in its metadata for itself.
struct EntryState {
  std::vector<FormerState> history;  // the latest last
  AsSaid as_it_was_said = AsSaid::no;
  std::string against;  // the entry that it contradicts and could not change; empty: none

  bool operator==(const EntryState&) const = default;
};

// An entry of consolidated/ that has metadata. A person's own text there is not consolidated, and not in here.
struct DurableEntry {
  std::string id;
  std::string hash;
  std::string text;
  Source source = Source::user;  // as believed: `user` once a person edited it
  std::string file;
  std::vector<std::string> about, tags;
  std::string project;
  std::string first_seen, updated;   // dates
  std::vector<std::string> sources;  // days
  std::vector<std::string> from;     // facts that it rests on
  EntryState state;
  bool is_offered_as_fact = false;  // a fact of the material stands in it: decided about as that fact
  bool writable = true;             // false: conflict markers or bad UTF-8 in its file, or a question to a person
  bool is_private = false;
};

struct Material {
  std::vector<Fact> facts;            // by (at, id): the same on every machine
  std::vector<DurableEntry> entries;  // by file and line; inactive ones are left out
  // Sorted ids of what was deleted or corrected: no new entry may have one, and none may rest on one, which would end it. (A
  // pending fact may have one: a person wrote a new text under the old id.)
  std::vector<std::string> ended;
};

}  // namespace loci
