// Small numbers given out to ids in the order they come. Ids may be any: what a damaged index says costs no memory. Emptied in time
// proportional to what was given out, so that one object serves query after query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loci {

class Numbering {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  Numbering() : slots_(smallest) {}

  // The number of an id; `none` if it has none.
  std::uint32_t find(std::uint32_t id) const { return slots_[slot_of(id)].number; }

  // Gives the next number to an id that has none.
  std::uint32_t add(std::uint32_t id) {
    if (2 * (used_.size() + 1) > slots_.size()) grow();
    const size_t slot = slot_of(id);
    slots_[slot] = {id, static_cast<std::uint32_t>(used_.size())};
    used_.push_back(slot);
    return slots_[slot].number;
  }

  void clear() {
    for (const size_t slot : used_) slots_[slot].number = none;
    used_.clear();
  }

 private:
  struct Slot {
    std::uint32_t id = 0, number = none;
  };
  static constexpr size_t smallest = 1024;  // a power of two, as every size

  // Where the id is, or where it would be put: linear probing from a multiplicative hash.
  size_t slot_of(std::uint32_t id) const {
    size_t slot = (id * std::uint64_t{0x9E3779B97F4A7C15} >> 32) & (slots_.size() - 1);
    while (slots_[slot].number != none && slots_[slot].id != id) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (size_t& slot : used_) {
      const Slot moved = old[slot];
      slot = slot_of(moved.id);
      slots_[slot] = moved;
    }
  }

  std::vector<Slot> slots_;
  std::vector<size_t> used_;  // by number
};

}  // namespace loci
