// Where reading a file may go on, and which part of a changed file that leaves to be read: from the last such place above the
// change to the first one below it. Pure functions.
//
// That this gives what reading all of it gives: up to the first line of `until`, the file is a file by itself, whose resume point
// is found to be there. So all of it is what stands above that point and what reading on from there gives (see ResumePoint), and
// the latter depends on nothing but the point and the bytes behind it, which are as they were.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/stored_entry.h"
#include "parser/parser.h"

namespace loci {

struct ReadingPoint {
  ResumePoint resume;
  HeadingState headings;  // what the entries above it left

  bool operator==(const ReadingPoint&) const = default;
};

struct Checkpoint {
  ReadingPoint point;
  std::uint64_t hash = 0;  // of the bytes from the checkpoint above (or the start) to this one
};

// All places of one file where reading may go on.
struct ReadingPoints {
  std::vector<Checkpoint> checkpoints;  // from the top down; none in a small file
  std::uint64_t hash_behind = 0;        // of the bytes behind the last of them
  ReadingPoint last;                    // for a file that grew; in an old part of it
};

std::string pack(const ReadingPoints& points);
// False: these are not bytes that pack() wrote.
bool unpack(std::string_view bytes, ReadingPoints& points);

// Leaves out checkpoints that are too near to the one above them or too large to keep, and sets all hashes.
void settle(ReadingPoints& points, std::string_view bytes);

// What has to be read of a changed file. What stands above and below is as it was.
struct PartToRead {
  const ReadingPoint* from = nullptr;   // of the points below; null: the start of the file
  const ReadingPoint* until = nullptr;  // null: the end of the file

  // Where the part ends in `bytes`, which end as the old ones did.
  size_t end(std::uint64_t old_length, std::string_view bytes) const;
};
// None: all of it. Points into `points`.
std::optional<PartToRead> part_to_read(const ReadingPoints& points, std::uint64_t old_length, std::uint64_t old_hash,
                                       std::string_view bytes);

// Whether reading on from either gives the same, given the same bytes there.
bool go_on_alike(const ReadingPoint& now, const ReadingPoint& before);
// The point if the part above it grew by as much as from `before` to `now`.
ReadingPoint shifted(ReadingPoint point, const ResumePoint& before, const ResumePoint& now);

}  // namespace loci
