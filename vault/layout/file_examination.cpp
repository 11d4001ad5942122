#include "vault/layout/file_examination.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "vault/layout/scan_rules.h"

namespace loci {
namespace {

// Below this a thread costs more than it saves (a start is some 60 µs, a file 2 µs).
constexpr size_t files_worth_a_thread = 512;
constexpr size_t most_helpers = 3;
constexpr size_t files_a_portion = 256;
constexpr size_t most_waiting = 32;  // portions, each of which may keep a folder open

}  // namespace

void FileExamination::ask(const std::shared_ptr<const OpenFolder>& folder, std::vector<File> files) {
  if (files.empty()) return;
  count_ += files.size();
  std::span<File> left = asked_.emplace_back(std::move(files));
  if (helpers_.empty() && count_ >= files_worth_a_thread) start_helpers();
  if (helpers_.empty()) return examine({folder, left});
  size_t waiting = 0;
  {
    const std::lock_guard lock(mutex_);
    for (; !left.empty(); left = left.subspan(std::min(files_a_portion, left.size())))
      waiting_.push_back({folder, left.first(std::min(files_a_portion, left.size()))});
    waiting = waiting_.size();
  }
  changed_.notify_all();
  for (Portion portion; waiting > most_waiting && take(portion); --waiting) examine(portion);
}

std::deque<std::vector<FileExamination::File>> FileExamination::finish() {
  for (Portion portion; take(portion);) examine(portion);
  close();
  return std::move(asked_);
}

void FileExamination::start_helpers() {
  const size_t wanted = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, most_helpers + 1) - 1;
  try {
    while (helpers_.size() < wanted) helpers_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {  // no thread is to be had: then those that are there do it
  }
}

void FileExamination::help() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_closed_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
    }
    if (Portion portion; take(portion)) examine(portion);
  }
}

bool FileExamination::take(Portion& portion) {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return false;
  portion = std::move(waiting_.front());
  waiting_.pop_front();
  return true;
}

void FileExamination::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
  helpers_.clear();
}

void FileExamination::examine(const Portion& portion) {
  const int folder = ::dirfd(portion.folder->get());
  for (File& file : portion.files) {
    struct stat info{};
    if (::fstatat(folder, file.state.path.c_str() + file.name_at, &info, AT_SYMLINK_NOFOLLOW) != 0) {
      file.error_number = errno;
      continue;
    }
    file.type = static_cast<unsigned char>(IFTODT(info.st_mode));
    if (file.type == DT_REG) file.state = state_of(std::move(file.state.path), info, file.state.untrusted);
  }
}

}  // namespace loci
