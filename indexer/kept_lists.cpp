#include "indexer/kept_lists.h"

#include <utility>

#include "indexer/bytes.h"

namespace loci {
namespace {

// Behind `last_row`: of each row how far it is from the one before, how many times the phrase stands in its text and in what is
// above it, and where in the text, each place as its distance from the one before.
void pack(const PhraseRows& list, RowId last_row, std::string& bytes) {
  ByteWriter out(bytes);
  size_t begin = 0;
  for (size_t i = 0; i < list.rows.size(); begin = list.ends[i++]) {
    size_t end = list.ends[i];
    while (end > begin && list.positions[end - 1] == PhraseRows::in_context) --end;
    const auto in_text = static_cast<std::uint32_t>(end - begin), in_context = list.ends[i] - static_cast<std::uint32_t>(end);
    out.varint(list.rows[i] - std::exchange(last_row, list.rows[i]));
    out.varint(2 * in_text + (in_context > 0 ? 1 : 0));
    if (in_context > 0) out.varint(in_context);
    int before = 0;
    for (size_t place = begin; place < end; ++place)
      out.varint(static_cast<std::uint32_t>(list.positions[place] - std::exchange(before, list.positions[place])));
  }
}

// A varint of what pack() wrote, which never left this memory: nothing has to be checked.
std::uint32_t take(const char*& byte) {
  std::uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto next = static_cast<unsigned char>(*byte++);
    value |= (next & 0x7FU) << shift;
    if (next < 0x80) return value;
  }
}

PhraseRows unpack(const std::string& bytes, size_t rows, size_t positions) {
  PhraseRows list;
  list.rows.resize(rows);
  list.ends.resize(rows);
  list.positions.resize(positions);
  const char* byte = bytes.data();
  RowId row = 0;
  std::uint32_t end = 0;
  for (size_t i = 0; i < rows; ++i) {
    list.rows[i] = row += take(byte);
    const std::uint32_t counts = take(byte), in_context = counts % 2 == 1 ? take(byte) : 0;
    int position = 0;
    for (std::uint32_t left = counts / 2; left > 0; --left) list.positions[end++] = position += static_cast<int>(take(byte));
    for (std::uint32_t left = in_context; left > 0; --left) list.positions[end++] = PhraseRows::in_context;
    list.ends[i] = end;
  }
  return list;
}

}  // namespace

void KeptLists::is_at(const Texts& texts) {
  if (texts.removals != texts_.removals || texts.last_row < texts_.last_row) clear();
  texts_ = texts;
  is_known_ = true;
}

std::optional<KeptLists::Found> KeptLists::find(std::string_view phrase) {
  const auto found = by_phrase_.find(phrase);
  if (found == by_phrase_.end()) return std::nullopt;
  lists_.splice(lists_.begin(), lists_, found->second);
  const List& list = lists_.front();
  return Found{unpack(list.packed, list.rows, list.positions), list.until};
}

void KeptLists::add(const std::string& phrase, const PhraseRows& rows) {
  const bool is_too_long = rows.rows.size() + rows.positions.size() > most_numbers;
  if (rows.rows.size() < fewest_rows || is_too_long || by_phrase_.contains(phrase)) return;
  lists_.push_front({phrase, 0, 0, 0, 0, {}});
  by_phrase_.emplace(lists_.front().phrase, lists_.begin());
  add_on(phrase, rows);
  lists_.front().packed.shrink_to_fit();
  make_room();
}

void KeptLists::add_on(std::string_view phrase, const PhraseRows& more) {
  List& list = *by_phrase_.at(phrase);
  pack(more, list.last_row, list.packed);
  list.rows += more.rows.size();
  list.positions += more.positions.size();
  if (!more.rows.empty()) list.last_row = more.rows.back();
  list.until = texts_.last_row;
}

void KeptLists::clear() {
  by_phrase_.clear();
  lists_.clear();
}

void KeptLists::make_room() {
  size_t bytes = 0;
  for (auto list = lists_.begin(); list != lists_.end();) {
    bytes += list->packed.capacity();
    if (bytes <= most_bytes) {
      ++list;
      continue;
    }
    bytes -= list->packed.capacity();
    by_phrase_.erase(list->phrase);
    list = lists_.erase(list);
  }
}

}  // namespace loci
