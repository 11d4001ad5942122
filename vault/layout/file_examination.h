// What the file system says of the files that a sweep wants to know of: a sweep waits for little else, so from some hundred files
// on other threads ask while it reads the next folders. Internal to the sweep, to whose thread ask() and finish() belong.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "vault/layout/folder_listing.h"
#include "vault/layout/scan.h"

namespace loci {

class FileExamination {
 public:
  struct File {
    FileState state;         // asked with its path and trust
    size_t name_at = 0;      // in the path
    unsigned char type = 0;  // DT_REG, …; 0 if it cannot be had
    int error_number = 0;    // why not
  };

  FileExamination() = default;
  ~FileExamination() { close(); }
  FileExamination(const FileExamination&) = delete;
  FileExamination& operator=(const FileExamination&) = delete;

  // Files of this folder, which stays open as long as it takes. Few folders are open at once: beyond that the caller helps.
  void ask(const std::shared_ptr<const OpenFolder>& folder, std::vector<File> files);
  // All that was asked, a folder after the other.
  std::deque<std::vector<File>> finish();

 private:
  struct Portion {
    std::shared_ptr<const OpenFolder> folder;
    std::span<File> files;
  };

  void start_helpers();
  void help();
  bool take(Portion& portion);
  void close();
  // Allocates nothing: what is thrown in a helper could not be caught.
  static void examine(const Portion& portion);

  std::deque<std::vector<File>> asked_;
  size_t count_ = 0;
  std::vector<std::jthread> helpers_;

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Portion> waiting_;
  bool is_closed_ = false;
};

}  // namespace loci
