#include "daemon/write_queue.h"

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <span>

#include "base/log.h"
#include "base/named_day.h"
#include "base/out_of_memory.h"
#include "memory/private_tag.h"
#include "parser/writer.h"
#include "vault/archive/archive_file.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds index_patience{2'000};
// Of additions that are stored together: as much as one file of the archive takes.
constexpr size_t together_bytes = rotation_bytes;

std::unexpected<Error> refuse(size_t position, size_t count, const std::string& why, std::string hint) {
  const std::string which = count == 1 ? "the entry" : "entry " + std::to_string(position + 1) + " of " + std::to_string(count);
  return fail(ErrorCode::refused, which + ' ' + why, std::move(hint));
}

// What an append would refuse, known before it holds up those that it would be merged with.
Status check(const std::vector<NewEntry>& entries) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const NewEntry& entry = entries[i];
    if (entry.text.size() > max_entry_bytes)
      return refuse(i, entries.size(), "has " + std::to_string(entry.text.size()) + " bytes; at most 1 MiB is one memory",
                    "keep the text in a file of its own in the vault, or split it");
    if (const auto writable = check_writable(entry.text); !writable)
      return refuse(i, entries.size(), "cannot be stored: " + writable.error().message, writable.error().hint);
  }
  return {};
}

size_t bytes_of(const std::vector<NewEntry>& entries) {
  size_t bytes = 0;
  for (const NewEntry& entry : entries) bytes += entry.text.size();
  return bytes;
}

}  // namespace

Status WriteQueue::post(Job& job) {
  Status posted;
  waiting_.change([&](Waiting& waiting) {
    if (waiting.stopped)
      posted = fail(ErrorCode::refused, "the daemon is stopping", "try again");
    else if (waiting.jobs.size() >= most_waiting)
      posted = fail(ErrorCode::refused, std::to_string(most_waiting) + " writes wait already", "try again in a moment");
    else
      waiting.jobs.push_back(std::move(job));
  });
  return posted;
}

void WriteQueue::add(std::vector<NewEntry> entries, AddDone done) {
  if (entries.empty()) return done(Added{});
  if (auto checked = check(entries); !checked) return done(std::unexpected(checked.error()));
  Job job = Addition{std::move(entries), std::move(done), {}};
  if (auto posted = post(job); !posted) std::get<Addition>(job).done(std::unexpected(posted.error()));
}

Status WriteQueue::run(std::function<void(Memory&)> operation) {
  Job job = std::move(operation);
  return post(job);
}

void WriteQueue::stop() {
  waiting_.change([](Waiting& waiting) { waiting.stopped = true; });
}

bool WriteQueue::step(std::optional<std::chrono::steady_clock::time_point> deadline) {
  bool stopped = false;
  auto jobs = waiting_.wait(
      deadline, [](const Waiting& waiting) { return waiting.stopped || !waiting.jobs.empty(); },
      [&](Waiting& waiting) {
        stopped = waiting.stopped;
        return std::exchange(waiting.jobs, {});
      });
  std::vector<Addition> additions;
  size_t bytes = 0;
  const auto store_gathered = [&] {
    bytes = 0;
    store(std::exchange(additions, {}));
  };
  for (Job& job : jobs) {
    if (auto* addition = std::get_if<Addition>(&job)) {
      bytes += bytes_of(addition->entries);
      additions.push_back(std::move(*addition));
      if (bytes >= together_bytes) store_gathered();
      continue;
    }
    store_gathered();  // in the order in which they came
    memory_.drop_reader();
    try {
      std::get<Operation>(job)(memory_);
    } catch (const std::exception& exception) {
      log_error(std::string("a write failed: ") + exception.what());
    }
    std::get<Operation>(job) = {};  // what it holds, somebody's answer, goes now and not after all the others
  }
  store_gathered();
  return !stopped || !jobs.empty();
}

// The file that all its entries go to; empty if there are several. What goes to one file is stored whole or not at all.
std::string WriteQueue::destination_of(const Addition& addition) const {
  const Clock& clock = memory_.vault().clock();
  std::string destination;
  for (const NewEntry& entry : addition.entries) {
    const Metadata& metadata = entry.metadata;
    std::string one = goes_to_conversation(metadata) ? "session " + metadata.session
                                                     : "day " + named_day(clock, metadata.at.value_or(clock.now()));
    if (!destination.empty() && one != destination) return {};
    destination = std::move(one);
  }
  return destination;
}

void WriteQueue::append_alone(Addition& addition) {
  const size_t count = addition.entries.size();
  addition.appended = within_memory("store it", [&] { return append_new(memory_, std::move(addition.entries)); });
  if (addition.appended && stored_) stored_(count);
}

void WriteQueue::append_together(const std::vector<Addition*>& group) {
  if (group.size() == 1) return append_alone(*group.front());
  auto appended = within_memory("store them together", [&] {
    std::vector<NewEntry> all;
    for (const Addition* addition : group) all.insert(all.end(), addition->entries.begin(), addition->entries.end());
    return append_new(memory_, std::move(all));
  });
  if (!appended) {
    // Nothing was stored: one by one, so that each gets an answer that is true of it.
    for (Addition* addition : group) append_alone(*addition);
    return;
  }
  if (stored_) stored_(appended->size());
  auto next = std::make_move_iterator(appended->begin());
  for (Addition* addition : group) {
    const auto end = next + static_cast<std::ptrdiff_t>(addition->entries.size());
    addition->appended = std::vector<Appended>(next, end);
    next = end;
  }
}

Searchable WriteQueue::take_in(const std::vector<Addition>& additions) {
  std::set<std::string> files;
  for (const Addition& addition : additions)
    if (addition.appended)
      for (const Appended& entry : *addition.appended) files.insert(entry.file);
  if (files.empty()) return {};
  const auto report =
      within_memory("bring the index up to date", [&] { return memory_.take_in({files.begin(), files.end()}, index_patience); });
  return report ? Searchable{} : Searchable{false, report.error().message};
}

void WriteQueue::store(std::vector<Addition> additions) {
  std::map<std::string, std::vector<Addition*>> groups;
  const OpenPrivateTag open_tag(memory_.vault().config());
  for (Addition& addition : additions) {
    addition.notes = open_tag.warnings(addition.entries);
    const std::string destination = destination_of(addition);
    if (destination.empty())
      append_alone(addition);
    else
      groups[destination].push_back(&addition);
  }
  for (const auto& [destination, group] : groups) append_together(group);
  const Searchable searchable = take_in(additions);
  for (Addition& addition : additions) {
    if (addition.appended)
      addition.done(Added{std::move(*addition.appended), searchable, std::move(addition.notes)});
    else
      addition.done(std::unexpected(addition.appended.error()));
  }
}

}  // namespace loci
