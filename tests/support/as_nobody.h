// Root may read everything, so a root that runs the tests steps back for a moment.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace loci {

class AsNobody {
 public:
  // All below `owned` belongs to nobody from then on.
  explicit AsNobody(const std::filesystem::path& owned) {
    if (::geteuid() != 0) return;
    for (const auto& item : std::filesystem::recursive_directory_iterator(owned))
      EXPECT_EQ(::lchown(item.path().c_str(), nobody, nobody), 0);
    EXPECT_EQ(::lchown(owned.c_str(), nobody, nobody), 0);
    EXPECT_EQ(::seteuid(nobody), 0);
    stepped_back_ = true;
  }
  ~AsNobody() { EXPECT_EQ(stepped_back_ ? ::seteuid(0) : 0, 0); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  static constexpr uid_t nobody = 65534;
  bool stepped_back_ = false;
};

}  // namespace loci
