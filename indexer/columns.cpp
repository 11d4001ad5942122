#include "indexer/columns.h"

#include <algorithm>
#include <cstring>

#include "indexer/bytes.h"

namespace loci {

PackedRecord::PackedRecord(const ColumnRecord& record) {
  const auto& entry = record.entry;
  at_ = entry.at;
  text_length_ = entry.text_length;
  context_length_ = entry.context_length;
  thread_ = entry.thread;
  previous_ = entry.previous;
  next_ = entry.next;
  day_ = record.day;
  layer_ = static_cast<std::uint8_t>(entry.layer) & 3U;
  kind_ = static_cast<std::uint8_t>(entry.kind) & 3U;
  source_ = static_cast<std::uint8_t>(entry.source) & 3U;
  place_ = static_cast<std::uint8_t>(record.place) & 7U;
  exists_ = record.exists;
  active_ = entry.active;
  pending_ = entry.pending;
  quarantined_ = record.quarantined;
  speaker_ = static_cast<std::uint8_t>(entry.speaker) & 3U;
  asks_ = entry.traits.asks;
  first_person_ = entry.traits.first_person;
  number_ = entry.traits.number;
  time_ = entry.traits.time;
}

ColumnPages::Page* ColumnPages::look_for_page(RowId number) {
  last_number_ = number;
  last_page_ = nullptr;
  if (const auto known = pages_.find(number); known != pages_.end()) return last_page_ = known->second.get();
  Query stored(database_, "SELECT records FROM columns WHERE page = ?", number);
  if (!stored.next()) return nullptr;
  const auto bytes = unseal(stored.blob(0));
  if (!bytes || bytes->size() != sizeof(Page::records)) {
    database_.report_damage("columns page " + std::to_string(number));
    return nullptr;
  }
  auto page = std::make_unique_for_overwrite<Page>();
  std::memcpy(page->records.data(), bytes->data(), bytes->size());
  return last_page_ = (pages_[number] = std::move(page)).get();
}

void ColumnPages::write_record(RowId row, const ColumnRecord& record) {
  const RowId number = row / rows_per_page;
  auto* page = find_page(number);
  if (page == nullptr) {
    page = (pages_[number] = std::make_unique<Page>()).get();
    for (PackedRecord& none : page->records) none = PackedRecord(ColumnRecord{});
    last_number_ = number;
    last_page_ = page;
  }
  page->records[row % rows_per_page] = PackedRecord(record);
  page->changed = true;
}

void ColumnPages::flush() {
  std::string bytes;
  for (auto& [number, page] : pages_) {
    if (!page->changed) continue;
    bytes.assign(reinterpret_cast<const char*>(page->records.data()), sizeof page->records);
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
