#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace loci {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << "cannot read " << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& file, std::string_view bytes, std::ios::openmode mode) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary | mode);
  out << bytes;
  out.close();
  ASSERT_TRUE(out) << "cannot write " << file;
}

// A test may have taken the permissions away from a folder that has to go.
void make_removable(const fs::path& folder) {
  std::error_code ignored;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
  for (const auto& item : fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, ignored))
    if (item.is_directory(ignored) && !item.is_symlink(ignored)) make_removable(item.path());
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "loci-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::system_error(errno, std::generic_category(), "mkdtemp " + name);
  path_ = fs::canonical(name);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  make_removable(path_);
  fs::remove_all(path_, ignored);
}

void TemporaryFolder::write(std::string_view relative, std::string_view bytes) const {
  put(path_ / relative, bytes, std::ios::trunc);
}

void TemporaryFolder::append(std::string_view relative, std::string_view bytes) const {
  put(path_ / relative, bytes, std::ios::app);
}

std::string TemporaryFolder::read(std::string_view relative) const { return bytes_of(path_ / relative); }

bool TemporaryFolder::has(std::string_view relative) const { return fs::exists(fs::symlink_status(path_ / relative)); }

std::map<std::string, std::string> TemporaryFolder::contents(std::string_view relative) const {
  std::map<std::string, std::string> files;
  if (!fs::exists(path_ / relative)) return files;
  for (const auto& item : fs::recursive_directory_iterator(path_ / relative))
    if (item.is_regular_file() && !item.is_symlink()) files[item.path().lexically_relative(path_)] = bytes_of(item.path());
  return files;
}

}  // namespace loci
