// Files read and parsed on a thread of its own, while another writes what came of those before: a full build takes as long as
// the slower of the two. Files come out in the order in which they were given. At most a few megabytes are ahead.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "indexer/file_load.h"

namespace loci {

struct FileAhead {
  FileState state;
  std::int64_t read_at = 0;
  Result<Reading> reading;
};

class ReadAhead {
 public:
  // Both have to outlive it. The file system is used by its thread alone until the last file came out.
  ReadAhead(const Vault& vault, const std::vector<FileState>& files);
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead();  // stops at once

  // The next file; none when all came out.
  std::optional<FileAhead> next();

 private:
  void read_all();
  bool put(FileAhead file);

  const Vault& vault_;
  const std::vector<FileState>& files_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<FileAhead> ahead_;
  std::uint64_t bytes_ahead_ = 0;
  bool done_ = false, stopped_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace loci
