// What the promoted lines of MEMORY.md show by now: their entries, or what took the place of these.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"
#include "parser/core_file.h"
#include "vault/logs/chronicle.h"

namespace loci {

struct ShownEntry {
  std::optional<Entry> entry;  // itself, or what took its place
  bool is_gone = false;        // without one; or else nobody knows: it is on its way, or the index has not seen it yet
};

// All that it is given has to outlive it. One thread at a time.
class ShownEntries {
 public:
  // `ended`: entries that a command has just ended. `knows_all_files`: the index does.
  ShownEntries(Memory& memory, const Chronicle& chronicle, const std::vector<std::string>& ended, bool knows_all_files)
      : memory_(memory), chronicle_(chronicle), ended_(ended), knows_all_files_(knows_all_files) {}

  // Of a line with a ref. Fails as reading the index does.
  Result<ShownEntry> of(const CoreLine& line);

 private:
  Result<ShownEntry> by_ref(const std::string& ref);
  Result<std::optional<Entry>> that_says(const CoreLine& line);
  Result<std::optional<Entry>> merged_before(const std::string& text);
  bool has_ended(const Entry& entry) const;
  std::string successor_of_facts(const Entry& entry) const;

  Memory& memory_;
  const Chronicle& chronicle_;
  const std::vector<std::string>& ended_;
  const bool knows_all_files_;
};

}  // namespace loci
