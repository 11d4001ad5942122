#include "indexer/columns.h"

#include <algorithm>
#include <cstring>

#include "indexer/bytes.h"

namespace loci {
namespace {

// As it lies in the database. With 32 bytes, a page of records and its seal leave next to nothing of SQLite's pages unused.
struct Packed {
  std::int64_t at;
  std::uint32_t text_length, thread, previous, next;
  std::uint16_t context_length, day;
  std::uint16_t layer : 2, kind : 2, source : 2, place : 3, exists : 1, active : 1, pending : 1, quarantined : 1, unused : 3;
  std::uint16_t speaker : 2, asks : 1, first_person : 1, number : 1, time : 1, unused_too : 10;
};
static_assert(sizeof(Packed) == 32 && std::is_trivially_copyable_v<Packed>);

Packed pack(const ColumnRecord& record) {
  const auto& entry = record.entry;
  Packed packed{};
  packed.at = entry.at;
  packed.text_length = entry.text_length;
  packed.context_length = entry.context_length;
  packed.thread = entry.thread;
  packed.previous = entry.previous;
  packed.next = entry.next;
  packed.day = record.day;
  packed.layer = static_cast<std::uint8_t>(entry.layer) & 3U;
  packed.kind = static_cast<std::uint8_t>(entry.kind) & 3U;
  packed.source = static_cast<std::uint8_t>(entry.source) & 3U;
  packed.place = static_cast<std::uint8_t>(record.place) & 7U;
  packed.exists = record.exists;
  packed.active = entry.active;
  packed.pending = entry.pending;
  packed.quarantined = record.quarantined;
  packed.speaker = static_cast<std::uint8_t>(entry.speaker) & 3U;
  packed.asks = entry.traits.asks;
  packed.first_person = entry.traits.first_person;
  packed.number = entry.traits.number;
  packed.time = entry.traits.time;
  return packed;
}

ColumnRecord unpack(const Packed& packed) {
  ColumnRecord record;
  auto& entry = record.entry;
  entry.at = packed.at;
  entry.text_length = packed.text_length;
  entry.context_length = packed.context_length;
  entry.thread = packed.thread;
  entry.previous = packed.previous;
  entry.next = packed.next;
  entry.layer = static_cast<Layer>(packed.layer);
  entry.kind = static_cast<EntryKind>(packed.kind);
  entry.source = static_cast<Source>(packed.source);
  entry.active = packed.active;
  entry.pending = packed.pending;
  entry.speaker = static_cast<Speaker>(packed.speaker);
  entry.traits = {packed.asks != 0, packed.first_person != 0, packed.number != 0, packed.time != 0};
  record.place = static_cast<Place>(packed.place);
  record.exists = packed.exists;
  record.quarantined = packed.quarantined;
  record.day = packed.day;
  return record;
}

}  // namespace

ColumnPages::Page* ColumnPages::find_page(RowId number) {
  if (last_page_ != nullptr && number == last_number_) return last_page_;
  last_number_ = number;
  last_page_ = nullptr;
  if (const auto known = pages_.find(number); known != pages_.end()) return last_page_ = known->second.get();
  Query stored(database_, "SELECT records FROM columns WHERE page = ?", number);
  if (!stored.next()) return nullptr;
  auto page = std::make_unique<Page>();
  const auto bytes = unseal(stored.blob(0));
  if (!bytes || bytes->size() != rows_per_page * sizeof(Packed)) {
    database_.report_damage("columns page " + std::to_string(number));
    return nullptr;
  }
  for (size_t i = 0; i < rows_per_page; ++i) {
    Packed packed;
    std::memcpy(&packed, bytes->data() + i * sizeof packed, sizeof packed);
    page->records[i] = unpack(packed);
  }
  return last_page_ = (pages_[number] = std::move(page)).get();
}

const ColumnRecord& ColumnPages::read(RowId row) {
  static const ColumnRecord none;
  const auto* page = find_page(row / rows_per_page);
  return page != nullptr ? page->records[row % rows_per_page] : none;
}

ColumnRecord& ColumnPages::write(RowId row) {
  auto* page = find_page(row / rows_per_page);
  if (page == nullptr) page = (pages_[row / rows_per_page] = std::make_unique<Page>()).get();
  page->changed = true;
  return page->records[row % rows_per_page];
}

void ColumnPages::flush() {
  std::string bytes;
  for (auto& [number, page] : pages_) {
    if (!page->changed) continue;
    bytes.clear();
    for (const auto& record : page->records) {
      const Packed packed = pack(record);
      bytes.append(reinterpret_cast<const char*>(&packed), sizeof packed);
    }
    seal(bytes);
    run(database_, "INSERT OR REPLACE INTO columns(page, records) VALUES (?, ?)", number, Blob{bytes});
    page->changed = false;
  }
}

std::vector<RowId> ColumnPages::page_numbers() {
  std::vector<RowId> numbers;
  numbers.reserve(pages_.size());
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  for (Query stored(database_, "SELECT page FROM columns"); stored.next();) {
    const std::int64_t number = stored.integer(0);
    if (number >= 0 && number <= UINT32_MAX / rows_per_page) numbers.push_back(static_cast<RowId>(number));
  }
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  return numbers;
}

}  // namespace loci
