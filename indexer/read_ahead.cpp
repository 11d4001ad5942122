#include "indexer/read_ahead.h"

#include <algorithm>

#include "base/out_of_memory.h"
#include "indexer/file_times.h"

namespace loci {
namespace {

constexpr std::uint64_t most_bytes_ahead = std::uint64_t{4} << 20;

FileAhead read_one(const Vault& vault, const FileState& state) {
  FileAhead file{state, nanoseconds(vault.clock().now()), Reading{}};
  const auto limit = static_cast<size_t>(std::max<std::int64_t>(vault.config().max_file_bytes, 0));
  file.reading = within_memory("read " + state.path, [&]() -> Result<Reading> {
    const auto bytes = TRY(read_file(vault.files(), vault.file(state.path), limit));
    return read_whole(bytes, {.path = state.path, .untrusted = state.untrusted, .front_date = {}});
  });
  return file;
}

}  // namespace

ReadAhead::ReadAhead(const Vault& vault, const std::vector<FileState>& files)
    : vault_(vault), files_(files), thread_([this] { read_all(); }) {}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ReadAhead::read_all() {
  for (const auto& state : files_)
    if (!put(read_one(vault_, state))) return;
  const std::lock_guard lock(mutex_);
  done_ = true;
  changed_.notify_all();
}

bool ReadAhead::put(FileAhead file) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || bytes_ahead_ < most_bytes_ahead; });
  bytes_ahead_ += file.state.size;
  ahead_.push_back(std::move(file));
  changed_.notify_all();
  return !stopped_;
}

std::optional<FileAhead> ReadAhead::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_ || !ahead_.empty(); });
  if (ahead_.empty()) return std::nullopt;
  FileAhead file = std::move(ahead_.front());
  ahead_.pop_front();
  bytes_ahead_ -= file.state.size;
  changed_.notify_all();
  return file;
}

}  // namespace loci
