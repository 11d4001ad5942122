#include "indexer/columns.h"

#include <algorithm>
#include <cstring>
#include <utility>

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

void ColumnPages::take_over(ColumnPages& earlier) {
  if (!earlier.written_ && !earlier.taken_over_at_) return;
  pages_ = std::exchange(earlier.pages_, {});
  taken_over_at_ = earlier.written_ ? earlier.written_->commits() : earlier.taken_over_at_;
  earlier.last_page_ = nullptr;
}

// Before anything is read of a snapshot.
void ColumnPages::meet_snapshot() {
  written_ = WrittenPages::load(database_);
  const auto since = written_ && taken_over_at_ ? written_->since(*taken_over_at_) : std::nullopt;
  if (since)
    for (const RowId page : *since) pages_.erase(page);
  else
    pages_.clear();
  while (pages_.size() > most_taken_over) pages_.erase(pages_.begin());
}

ColumnPages::Page* ColumnPages::look_for_page(RowId number) {
  if (!written_) meet_snapshot();
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
  std::vector<RowId> changed;
  for (auto& [number, page] : pages_) {
    if (!page->changed) continue;
    changed.push_back(number);
    bytes.assign(reinterpret_cast<const char*>(page->records.data()), sizeof page->records);
    seal(bytes);
    run(database_, "INSERT OR REPLACE INTO columns(page, records) VALUES (?, ?)", number, Blob{bytes});
    page->changed = false;
  }
  if (changed.empty() || !written_) return;
  written_->add_commit(changed);
  written_->store(database_);
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
