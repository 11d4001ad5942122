// The names of the files in .loci/tmp/, and what they tell after a crash. Pure.
//
//   memory.md.write-<before>-<after>-<id>                       of a replace that is under way, or that was killed
//   memory.md.kept-<hash>-<inode>-<since>-<fresh|still>-<id>    what a replace displaced: an editor may still hold it open
//   memory.md.kept-<hash>-<inode>-<since>-copy-<id>             a copy of a save that was put back (vault/rewrite/put_back.h)
//   <id>.target                                                 the path that one of these belongs to, relative to the root
//   memory.md.new-<id>                                          about to get its name; nobody has seen it yet
//
// Hashes are those of bytes, the first 16 hex digits of SHA-256. The path has a file of its own, because a name that takes 255
// bytes, and the folders above it, do not fit into a name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace loci {

struct WriteName {
  std::string start;          // of the file's own name, for people
  std::string before, after;  // hashes
  std::string id;

  bool operator==(const WriteName&) const = default;
};

struct KeptName {
  enum class State : std::uint8_t {
    fresh,  // nobody has looked at it yet
    still,  // the first look found it unchanged
    copy,
  };
  std::string start;
  std::string hash;  // of the bytes that were displaced
  std::uint64_t inode = 0;
  Instant since;
  State state = State::fresh;
  std::string id;

  bool operator==(const KeptName&) const = default;
};

std::string format(const WriteName& name);
std::string format(const KeptName& name);
std::string new_file_name(std::string_view file, const std::string& id);
std::string target_file_name(const std::string& id);

std::optional<WriteName> parse_write_name(std::string_view name);
std::optional<KeptName> parse_kept_name(std::string_view name);
bool is_new_file_name(std::string_view name);
std::optional<std::string> id_of_target_file(std::string_view name);

// What a file's name contributes to those above: as much as fits.
std::string start_of_name(std::string_view file_name);

std::string content_hash(std::string_view bytes);

}  // namespace loci
