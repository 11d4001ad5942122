// Where the entries of a file stand: one slot a place, in file order, in chunks of up to 1,024 with lines counted from the
// chunk's first one. So an added line changes one chunk and a few numbers, not a row for every entry below it.
// Belongs to one connection; failures are the connection's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/index_reader.h"
#include "indexer/sqlite.h"

namespace loci {

struct Slot {
  RowId row = 0;
  std::uint32_t line = 0, line_end = 0;
  std::uint64_t content = 0;  // of the entry as this place has it

  bool operator==(const Slot&) const = default;
};

// The chunks of a file, in order. Kept with the file.
struct Chunk {
  std::int64_t id = 0;
  std::uint32_t first_line = 0, slots = 0;

  bool operator==(const Chunk&) const = default;
};
using Layout = std::vector<Chunk>;

std::string pack_layout(const Layout& layout);
Layout unpack_layout(std::string_view bytes);
size_t count_slots(const Layout& layout);

class SlotStore {
 public:
  explicit SlotStore(Database& database) : database_(database) {}

  std::vector<Slot> load(const Layout& layout);
  // What was loaded (`before`) becomes `after`; chunks that only moved are not written.
  void replace(Layout& layout, const std::vector<Slot>& before, const std::vector<Slot>& after);

 private:
  void write(Layout& layout, size_t position, std::vector<std::int64_t>& spare, const Slot* begin, const Slot* end);

  Database& database_;
};

}  // namespace loci
