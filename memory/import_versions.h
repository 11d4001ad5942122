// Records of other memories that change where they come from: each text under one id is a version of the record, with an id of its
// own made of both. So what was taken in before is known by that, in whatever order exports come. A text that comes back with a
// later date than that of the version which took its place is a version of its own.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "memory/exported_entry.h"
#include "memory/memory.h"
#include "vault/logs/chronicle.h"

namespace loci {

class RecordVersions {
 public:
  // What this vault has of these records and of what took their place.
  Status load(Memory& memory, const Chronicle& chronicle, const std::vector<ExportedEntry>& entries);

  // Under which id this text of a record that is here stands, or would.
  std::string id_of(const ExportedEntry& one) const;
  // It was taken in once, and no person ended it: another version stands in its place, or it does itself.
  bool is_known(const ExportedEntry& one) const;
  // The version that counts now, for a newer one to supersede; empty if a person has had a say in it since.
  std::string standing(const std::string& record) const;
  // It was so before what stands under that id, as far as both have a date: what an older export says is no news.
  bool is_earlier(const ExportedEntry& one, const std::string& than) const;
  bool has(const std::string& record) const { return found_.contains(record); }

 private:
  struct Found {
    std::string hash, sum;  // `sum`: of an entry that a person has changed, what it said before
    std::string corrects;
    std::optional<Instant> at;
    bool is_removed = false, was_ended = false;
    std::string successor;
  };

  Status add(Memory& memory, const Chronicle& chronicle, const std::string& id);
  std::string first_id_of(const ExportedEntry& one) const;
  bool is_version(const std::string& record, const std::string& id) const;
  bool is_later(const ExportedEntry& one, const std::string& than) const;
  bool was_taken_in_as(const Found& found, const std::string& hash) const;

  std::map<std::string, Found> found_;
};

}  // namespace loci
