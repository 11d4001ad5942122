// A fresh folder for one test, removed with everything in it when the test ends.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace loci {

class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }  // canonical
  std::filesystem::path operator/(std::string_view relative) const { return path_ / relative; }

  // Writes a whole file and the folders above it.
  void write(std::string_view relative, std::string_view bytes) const;
  void append(std::string_view relative, std::string_view bytes) const;
  // The bytes of a file; fails the test if it cannot be read.
  std::string read(std::string_view relative) const;
  bool has(std::string_view relative) const;

  // Every regular file below `relative` with its bytes, by path relative to this folder: two equal results mean that nothing
  // was written in between.
  std::map<std::string, std::string> contents(std::string_view relative = "") const;

 private:
  std::filesystem::path path_;
};

}  // namespace loci
