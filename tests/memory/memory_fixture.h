// A vault in a temporary folder, with a clock that stands still, opened as a Memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "memory/memory.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {

class MemoryTest : public testing::Test {
 protected:
  MemoryTest() { std::filesystem::create_directories(folder / "vault"); }

  Memory open() { return Memory::open(folder / "vault", environment_in(folder), real_file_system(), clock).value(); }

  void write(std::string_view file, std::string_view bytes) { folder.write("vault/" + std::string(file), bytes); }
  std::string read(std::string_view file) { return folder.read("vault/" + std::string(file)); }

  // The texts of all active entries, sorted.
  static std::vector<std::string> texts(Memory& memory) {
    EXPECT_TRUE(memory.bring_up_to_date());
    const auto entries = memory.reader().value()->list(EntryFilter{}, 10000).value();
    std::vector<std::string> out;
    for (const Entry& entry : entries) out.push_back(entry.text);
    std::ranges::sort(out);
    return out;
  }

  // The id of the one active entry with this text.
  static std::string id_of(Memory& memory, const std::string& text) {
    EXPECT_TRUE(memory.bring_up_to_date());
    const auto entries = memory.reader().value()->list(EntryFilter{}, 10000).value();
    for (const Entry& entry : entries)
      if (entry.text == text) return entry.id;
    ADD_FAILURE() << "no entry says " << text;
    return {};
  }

  // The files of vault and state folder that hold this anywhere.
  std::vector<std::string> files_with(const std::string& word) {
    std::vector<std::string> files;
    for (const char* root : {"vault", "home/.local/state"})
      for (const auto& [file, bytes] : folder.contents(root))
        if (bytes.contains(word)) files.push_back(file);
    return files;
  }

  TemporaryFolder folder;
  ManualClock clock;
};

using Texts = std::vector<std::string>;

}  // namespace loci
