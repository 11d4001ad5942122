#include "daemon/memory_pool.h"

#include <barrier>
#include <thread>

#include "memory/add.h"
#include "tests/daemon/kept_vault.h"

namespace loci {
namespace {

class MemoryPoolTest : public KeptVaultTest {
 protected:
  MemoryPoolTest() { keep(); }

  MemoryPool pool{[this] {
    ++opened;
    return Result<Memory>(open());
  }};
  std::atomic<int> opened = 0;

  static Result<size_t> count(Memory& memory) {
    const auto entries = memory.reader().value()->list(EntryFilter{}, 1000);
    return entries ? Result<size_t>(entries->size()) : std::unexpected(entries.error());
  }

  size_t count() {
    return pool.with<size_t>([](Memory& memory) { return count(memory); }).value();
  }

  void store(const std::string& text) {
    Memory memory = open();
    ASSERT_TRUE(add(memory, {NewEntry{{}, text}}));
  }
};

TEST_F(MemoryPoolTest, OneAfterTheOtherUseTheSameMemory) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(count(), 0U);
  EXPECT_EQ(opened, 1);
}

TEST_F(MemoryPoolTest, WhatNobodyUsesIsLetGoAndOpenedAnew) {
  EXPECT_EQ(count(), 0U);
  pool.release_idle();
  EXPECT_EQ(count(), 0U);
  EXPECT_EQ(opened, 2);
}

TEST_F(MemoryPoolTest, WhoeverIsTakenAfterAChangeSeesIt) {
  EXPECT_EQ(count(), 0U);
  store("new");
  pool.index_changed();
  EXPECT_EQ(count(), 1U);
}

TEST_F(MemoryPoolTest, AChangeDuringAUseIsSeenByTheNext) {
  EXPECT_TRUE(pool.with<size_t>([&](Memory& memory) {
    const auto before = count(memory);
    store("meanwhile");
    pool.index_changed();
    return before;
  }));
  EXPECT_EQ(count(), 1U);
}

TEST_F(MemoryPoolTest, ManyAtOnceWaitForNobodyAndFewStayOpen) {
  constexpr int many = 20;
  std::barrier all_inside(many);
  const auto use_all = [&] {
    std::vector<std::jthread> users;
    for (int i = 0; i < many; ++i)
      users.emplace_back([&] {
        EXPECT_TRUE(pool.with<size_t>([&](Memory& memory) {
          all_inside.arrive_and_wait();
          return count(memory);
        }));
      });
  };
  use_all();
  EXPECT_EQ(opened, many);
  use_all();
  EXPECT_EQ(opened, 2 * many - static_cast<int>(MemoryPool::most_idle));
}

TEST_F(MemoryPoolTest, AMemoryThatCannotBeOpenedIsAnError) {
  MemoryPool broken([] { return Result<Memory>(fail(ErrorCode::not_found, "gone")); });
  const auto answer = broken.with<size_t>([](Memory& memory) { return count(memory); });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace loci
