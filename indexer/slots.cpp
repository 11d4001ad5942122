#include "indexer/slots.h"

#include <algorithm>

#include "indexer/bytes.h"

namespace loci {
namespace {

constexpr size_t most_slots = 1024;  // a chunk may grow to this
constexpr size_t new_chunk = 512;    // and is made with at most this many

std::uint32_t zigzag(std::int32_t value) {
  return (static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31);
}
std::int32_t unzigzag(std::uint64_t value) { return static_cast<std::int32_t>((value >> 1) ^ (~(value & 1) + 1)); }

// Small when rows and lines rise a little at a time, as they do.
std::string pack_slots(const Slot* begin, const Slot* end, std::uint32_t first_line) {
  std::string bytes;
  bytes.reserve(static_cast<size_t>(end - begin) * 12 + 8);
  ByteWriter out(bytes);
  Slot last{.line = first_line};
  for (const Slot* slot = begin; slot != end; ++slot) {
    out.varint(zigzag(static_cast<std::int32_t>(slot->row - last.row)));
    out.varint(slot->line - last.line);
    out.varint(slot->line_end - slot->line);
    out.fixed(slot->content);
    last = *slot;
  }
  seal(bytes);
  return bytes;
}

// False if there are not as many as there should be.
bool unpack_slots(std::string_view bytes, const Chunk& chunk, std::vector<Slot>& out) {
  ByteReader in(bytes);
  Slot slot{.line = chunk.first_line};
  for (std::uint32_t i = 0; i < chunk.slots && in.ok(); ++i) {
    slot.row += static_cast<RowId>(unzigzag(in.varint()));
    slot.line += static_cast<std::uint32_t>(in.varint());
    slot.line_end = slot.line + static_cast<std::uint32_t>(in.varint());
    slot.content = in.fixed<std::uint64_t>();
    if (in.ok()) out.push_back(slot);
  }
  return in.ok() && in.at_end();
}

bool moved_only(const Slot& before, const Slot& after, std::uint32_t shift) {
  return before.row == after.row && before.content == after.content && before.line + shift == after.line &&
         before.line_end + shift == after.line_end;
}

// How many slots at the end are the same but for being `shift` lines further down; at most `limit`.
size_t common_tail(const std::vector<Slot>& before, const std::vector<Slot>& after, size_t limit) {
  if (before.empty() || after.empty()) return 0;
  const std::uint32_t shift = after.back().line - before.back().line;
  size_t count = 0;
  while (count < limit && moved_only(before[before.size() - 1 - count], after[after.size() - 1 - count], shift)) ++count;
  return count;
}

}  // namespace

std::string pack_layout(const Layout& layout) {
  std::string bytes;
  ByteWriter out(bytes);
  for (const auto& chunk : layout) {
    out.varint(static_cast<std::uint64_t>(chunk.id));
    out.varint(chunk.first_line);
    out.varint(chunk.slots);
  }
  return bytes;
}

Layout unpack_layout(std::string_view bytes) {
  Layout layout;
  ByteReader in(bytes);
  while (!in.at_end()) {
    Chunk chunk;
    chunk.id = static_cast<std::int64_t>(in.varint());
    chunk.first_line = static_cast<std::uint32_t>(in.varint());
    chunk.slots = static_cast<std::uint32_t>(in.varint());
    if (in.ok()) layout.push_back(chunk);
  }
  return layout;
}

size_t count_slots(const Layout& layout) {
  size_t count = 0;
  for (const auto& chunk : layout) count += chunk.slots;
  return count;
}

std::vector<Slot> SlotStore::load(const Layout& layout) {
  std::vector<Slot> slots;
  for (const auto& chunk : layout) {
    Query stored(database_, "SELECT slots FROM slots WHERE chunk = ?", chunk.id);
    const auto bytes = stored.next() ? unseal(stored.blob(0)) : std::nullopt;
    if (!bytes || !unpack_slots(*bytes, chunk, slots)) {
      if (!database_.failed()) database_.report_damage("slots " + std::to_string(chunk.id));
      return slots;
    }
  }
  return slots;
}

void SlotStore::replace(Layout& layout, const std::vector<Slot>& before, const std::vector<Slot>& after) {
  const size_t shorter = std::min(before.size(), after.size());
  const size_t head = static_cast<size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
  const size_t tail = common_tail(before, after, shorter - head);

  // Whole chunks inside the unchanged head and tail stay.
  size_t begin = 0;
  size_t begin_slot = 0;
  while (begin < layout.size() && begin_slot + layout[begin].slots <= head) begin_slot += layout[begin++].slots;
  size_t end = layout.size();
  size_t kept_tail = 0;
  while (end > begin && kept_tail + layout[end - 1].slots <= tail) kept_tail += layout[--end].slots;
  // Few slots go into the chunk before rather than into one of their own.
  const size_t fresh = after.size() - kept_tail - begin_slot;
  if (fresh > 0 && begin == end && begin > 0 && layout[begin - 1].slots + fresh <= new_chunk) begin_slot -= layout[--begin].slots;

  if (kept_tail > 0) {
    const std::uint32_t shift = after.back().line - before.back().line;
    for (size_t i = end; i < layout.size(); ++i) layout[i].first_line += shift;
  }
  std::vector<std::int64_t> spare;
  for (size_t i = begin; i < end; ++i) spare.push_back(layout[i].id);
  std::ranges::reverse(spare);
  layout.erase(layout.begin() + static_cast<std::ptrdiff_t>(begin), layout.begin() + static_cast<std::ptrdiff_t>(end));

  const Slot* slot = after.data() + begin_slot;
  const Slot* const last = after.data() + after.size() - kept_tail;
  const size_t piece = static_cast<size_t>(last - slot) <= most_slots && spare.size() == 1 ? most_slots : new_chunk;
  for (size_t position = begin; slot != last; ++position) {
    const Slot* const stop = slot + std::min(piece, static_cast<size_t>(last - slot));
    write(layout, position, spare, slot, stop);
    slot = stop;
  }
  for (const auto id : spare) run(database_, "DELETE FROM slots WHERE chunk = ?", id);
}

void SlotStore::write(Layout& layout, size_t position, std::vector<std::int64_t>& spare, const Slot* begin, const Slot* end) {
  Chunk chunk{.id = 0, .first_line = begin->line, .slots = static_cast<std::uint32_t>(end - begin)};
  const auto bytes = pack_slots(begin, end, chunk.first_line);
  if (spare.empty()) {
    run(database_, "INSERT INTO slots(slots) VALUES (?)", Blob{bytes});
    chunk.id = database_.last_row();
  } else {
    chunk.id = spare.back();
    spare.pop_back();
    run(database_, "UPDATE slots SET slots = ? WHERE chunk = ?", Blob{bytes}, chunk.id);
  }
  layout.insert(layout.begin() + static_cast<std::ptrdiff_t>(position), chunk);
}

}  // namespace loci
