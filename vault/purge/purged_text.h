// What a purge takes out, and how it is found again where it stands in other forms: under its id, as a hash, a line of it among
// other lines, or most of it in other words. Immutable.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

struct PurgedEntry {
  std::string id;
  std::string text;  // empty if it is known no more
  std::string hash;  // 32 hex digits, or empty
};

class PurgedText {
 public:
  explicit PurgedText(std::vector<PurgedEntry> entries);

  const std::vector<PurgedEntry>& entries() const { return entries_; }
  bool has_id(std::string_view id) const { return ids_.contains(id); }
  bool has_hash(std::string_view hash) const { return hashes_.contains(hash); }
  // Entries without metadata have one: it is a hash of the text.
  bool has_id_of_hash(std::string_view id) const { return ids_of_hashes_.contains(id); }

  // A line of one of the texts, without the white space around it. Lines of less than four bytes stand everywhere, and do not
  // count.
  bool stands_in(std::string_view text) const;
  // The same for bytes in which JSON may have escaped them.
  bool stands_escaped_in(std::string_view bytes) const;
  // The first place where one of them stands; npos.
  size_t find_in(std::string_view bytes) const;
  // At least half of the words of one of the texts.
  bool is_said_in(std::string_view text) const;

 private:
  std::vector<PurgedEntry> entries_;
  std::set<std::string, std::less<>> ids_, hashes_, ids_of_hashes_;
  std::vector<std::string> lines_, escaped_;
};

}  // namespace loci
