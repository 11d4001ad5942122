// The logs that each machine writes for itself under .loci/ and every machine reads: ledger, tombstones, removed, recall. A folder
// a kind, a file <host>.jsonl a machine, a JSON object a line. Nobody writes another machine's file, so git and sync tools have
// nothing to merge, and files only grow. A symbolic link in the place of .loci, of a folder or of a log is never followed: a vault
// that was pulled from somewhere must not lead a write or a read out of it. Holds no descriptor; any number of threads and
// processes may append at once.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci {

class HostLog {
 public:
  // `folder`: the name under .loci/, which lives as long as the program: "ledger".
  HostLog(const Vault& vault, std::string_view folder) : vault_(vault), folder_(folder) {}

  // Whole lines, each with its end. One write and one fdatasync: all of them are durable when it returns, or, if it fails, none is
  // there. A last line that a crash left without an end gets one first. Joins the vault and makes the folder if need be (0600,
  // 0700). ErrorCode::refused where a link is in the way.
  Status append(std::string_view lines) const;

  struct File {
    std::string path;  // relative to the vault's root
    std::string bytes;
  };
  // Of all machines, by name. What is no regular file is left out; the sweep reports it. ErrorCode::refused if the folder is a
  // link.
  Result<std::vector<File>> read() const;
  Result<std::vector<std::string>> paths() const;
  // Empty where there is no such log.
  Result<std::string> read_own() const;

  std::string own_path() const;  // relative

  // Changes whenever a log does: names, inodes, sizes and times.
  std::string signature() const;

 private:
  path folder() const { return vault_.dot_loci() / folder_; }

  const Vault& vault_;
  std::string_view folder_;
};

// One log, by its path relative to the vault's root. As HostLog::read, but ErrorCode::not_found if it is not there, and
// ErrorCode::refused if it is no regular file.
Result<std::string> read_host_log(const Vault& vault, const std::string& relative_path);

// Calls `visit` with the number (1-based) and the object of every whole line. What is torn or broken is skipped and told.
std::vector<Problem> visit_log_lines(const HostLog::File& log, JsonLimits limits,
                                     const std::function<bool(int line, const Json& object)>& visit);

}  // namespace loci
