// A zip file, also one with members of more than 4 GiB (zip64).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/file_system.h"
#include "importers/json_stream.h"

namespace loci::importers {

inline constexpr std::uint64_t most_unpacked = std::uint64_t{64} << 30;

class ZipFile {
 public:
  // ErrorCode::usage if it is damaged, as every error here is.
  static Result<ZipFile> open(FileSystem& files, const path& file);

  // With the bytes that each unpacks to, as the zip file says; at most 100,000.
  Result<std::map<std::string, std::uint64_t>> members();

  // Unpacks while it reads. The reader fails if the member does not say what its checksum does, is encrypted, or starts behind the
  // first 4 GiB of the zip file; and if all that was read of this zip file unpacks to more than 64 GiB.
  Result<ByteReader> read(const std::string& name);

 private:
  ZipFile(path file, Fd fd);
  Error failed(const std::string& why) const;

  path file_;
  Fd fd_;
  std::unique_ptr<void, void (*)(void*)> zip_;
  std::uint64_t unpacked_ = 0;
};

}  // namespace loci::importers
