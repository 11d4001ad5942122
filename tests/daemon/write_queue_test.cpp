#include "daemon/write_queue.h"

#include <future>
#include <thread>

#include "parser/text_hash.h"
#include "tests/daemon/kept_vault.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/forwarding_file_system.h"

namespace loci {
namespace {

NewEntry entry_of(const std::string& text) {
  NewEntry entry;
  entry.text = text;
  entry.metadata.source = Source::agent;
  return entry;
}

class WriteQueueTest : public KeptVaultTest {
 protected:
  WriteQueueTest() { keep(); }

  static std::future<Result<Added>> add(WriteQueue& queue, std::vector<NewEntry> entries) {
    auto promise = std::make_shared<std::promise<Result<Added>>>();
    queue.add(std::move(entries), [promise](Result<Added> added) { promise->set_value(std::move(added)); });
    return promise->get_future();
  }

  static bool is_done(const std::future<Result<Added>>& answer) {
    return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  // Syncs of files of the archive: what an append costs.
  size_t archive_syncs() const {
    size_t count = 0;
    for (const std::string& call : files.calls()) count += call.starts_with("sync_data " + (folder / "vault/archive").string());
    return count;
  }

  FaultyFileSystem files;
};

const auto no_wait = std::chrono::steady_clock::time_point::min();

TEST_F(WriteQueueTest, AnAdditionIsDurableAndSearchableWhenItIsDone) {
  WriteQueue queue(open());
  auto answer = add(queue, {entry_of("deploys happen on tuesdays"), entry_of("the cat is called Mia")});
  EXPECT_FALSE(is_done(answer)) << "done on the caller's thread";
  EXPECT_TRUE(queue.step(no_wait));
  const auto added = answer.get();
  ASSERT_TRUE(added);
  ASSERT_EQ(added->entries.size(), 2U);
  EXPECT_TRUE(added->searchable.yes);
  Memory memory = open();
  for (size_t i = 0; i < 2; ++i) {
    const auto found = find_entry(memory, added->entries[i].id);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->hash, added->entries[i].hash);
    EXPECT_EQ(found->places.front().line, added->entries[i].line);
  }
  EXPECT_EQ(find_entry(memory, added->entries[0].id)->text, "deploys happen on tuesdays");
}

TEST_F(WriteQueueTest, ManyThreadsThatAddAtOnceShareOneSync) {
  constexpr size_t threads = 64, each = 10;
  std::vector<size_t> batches;
  WriteQueue queue(open(files), [&](size_t entries) { batches.push_back(entries); });
  std::vector<std::future<Result<Added>>> answers(threads * each);
  {
    std::vector<std::jthread> clients;
    for (size_t t = 0; t < threads; ++t)
      clients.emplace_back([&, t] {
        for (size_t i = 0; i < each; ++i)
          answers[t * each + i] = add(queue, {entry_of("fact " + std::to_string(t) + "-" + std::to_string(i) + ".")});
      });
  }
  EXPECT_TRUE(queue.step(no_wait));
  EXPECT_EQ(archive_syncs(), 1U);
  EXPECT_EQ(batches, std::vector<size_t>{threads * each});
  EXPECT_EQ(keeper->asked.size(), 1U) << "the index looks once";
  const std::string stored = archive();
  for (size_t t = 0; t < threads; ++t)
    for (size_t i = 0; i < each; ++i) {
      const auto added = answers[t * each + i].get();
      ASSERT_TRUE(added);
      const std::string text = "fact " + std::to_string(t) + "-" + std::to_string(i) + ".";
      EXPECT_EQ(times(stored, "\n" + text + "\n"), 1U) << text;
      EXPECT_EQ(times(stored, added->entries.front().id), 1U);
      EXPECT_EQ(added->entries.front().hash, text_hash(text).substr(0, 32)) << "the answer is about this very entry";
    }
}

TEST_F(WriteQueueTest, WhileItWorksEveryAcknowledgedAdditionIsStoredOnce) {
  WriteQueue queue(open());
  std::jthread worker([&] {
    while (queue.step(std::nullopt)) continue;
  });
  std::vector<std::string> ids;
  std::mutex mutex;
  {
    std::vector<std::jthread> clients;
    for (int t = 0; t < 16; ++t)
      clients.emplace_back([&, t] {
        for (int i = 0; i < 10; ++i) {
          const auto added = add(queue, {entry_of("told " + std::to_string(t) + "." + std::to_string(i))}).get();
          ASSERT_TRUE(added);
          ASSERT_TRUE(added->searchable.yes);
          const std::lock_guard lock(mutex);
          ids.push_back(added->entries.front().id);
        }
      });
  }
  queue.stop();
  worker.join();
  ASSERT_EQ(ids.size(), 160U);
  const std::string stored = archive();
  for (const std::string& id : ids) EXPECT_EQ(times(stored, id), 1U);
}

TEST_F(WriteQueueTest, AnImpossibleEntryIsRefusedAtOnceAndAlone) {
  WriteQueue queue(open());
  auto good = add(queue, {entry_of("one")});
  for (const std::string& text :
       {std::string(), std::string(" \n\t"), std::string("\xff"), std::string("a\0b", 3), std::string(max_entry_bytes + 1, 'x')}) {
    auto bad = add(queue, {entry_of("fine"), entry_of(text)});
    ASSERT_TRUE(is_done(bad));
    const auto refused = bad.get();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_TRUE(refused.error().message.starts_with("entry 2 of 2 ")) << refused.error().message;
  }
  auto also_good = add(queue, {entry_of("two")});
  EXPECT_TRUE(queue.step(no_wait));
  EXPECT_TRUE(good.get());
  EXPECT_TRUE(also_good.get());
  EXPECT_EQ(times(archive(), "fine"), 0U);
}

TEST_F(WriteQueueTest, AFullDiskRefusesAllAndNothingIsHalfDone) {
  WriteQueue queue(open(files));
  ASSERT_TRUE(queue.step(no_wait));
  auto first = add(queue, {entry_of("before")});
  ASSERT_TRUE(queue.step(no_wait));
  ASSERT_TRUE(first.get());
  const std::string before = archive();
  std::vector<std::future<Result<Added>>> answers;
  for (int i = 0; i < 5; ++i) answers.push_back(add(queue, {entry_of("while full " + std::to_string(i))}));
  files.fail_from(0, ENOSPC);
  ASSERT_TRUE(queue.step(no_wait));
  for (auto& answer : answers) EXPECT_FALSE(answer.get());
  EXPECT_EQ(archive(), before);
  files.fail_nothing();
  auto after = add(queue, {entry_of("after")});
  ASSERT_TRUE(queue.step(no_wait));
  EXPECT_TRUE(after.get());
}

TEST_F(WriteQueueTest, AWriteThatFailsOnceIsTriedForEachByItself) {
  WriteQueue queue(open(files));
  auto first = add(queue, {entry_of("before")});
  ASSERT_TRUE(queue.step(no_wait));
  ASSERT_TRUE(first.get());
  // Every call of the merged append, one after the other.
  files.fail_nothing();
  auto rehearsal = add(queue, {entry_of("rehearsed 1")}), second_rehearsal = add(queue, {entry_of("rehearsed 2")});
  ASSERT_TRUE(queue.step(no_wait));
  const size_t calls = files.calls().size();
  for (size_t call = 0; call < calls; ++call) {
    const std::string a = "a" + std::to_string(call) + ".", b = "b" + std::to_string(call) + ".";
    auto one = add(queue, {entry_of(a)}), two = add(queue, {entry_of(b)});
    files.fail_call(call, EIO);
    ASSERT_TRUE(queue.step(no_wait));
    files.fail_nothing();
    for (const auto& [answer, text] : {std::pair{one.get(), a}, std::pair{two.get(), b}}) {
      const size_t stored = times(archive(), "\n" + text + "\n");
      EXPECT_EQ(stored, answer ? 1U : 0U) << text << (answer ? "" : answer.error().message);
    }
  }
}

TEST_F(WriteQueueTest, WhatGoesToSeveralFilesIsStoredTogetherFileByFile) {
  WriteQueue queue(open(files));
  std::vector<std::future<Result<Added>>> answers;
  for (int i = 0; i < 12; ++i) {
    NewEntry entry = entry_of("said " + std::to_string(i));
    if (i % 3 > 0) {
      entry.metadata.kind = EntryKind::turn;
      entry.metadata.session = "s" + std::to_string(i % 3);
      entry.metadata.turn = i;
    }
    answers.push_back(add(queue, {std::move(entry)}));
  }
  ASSERT_TRUE(queue.step(no_wait));
  EXPECT_EQ(archive_syncs(), 3U);
  for (int i = 0; i < 12; ++i) {
    const auto added = answers[static_cast<size_t>(i)].get();
    ASSERT_TRUE(added);
    const std::string session = i % 3 > 0 ? "-s" + std::to_string(i % 3) : "";
    EXPECT_NE(added->entries.front().file.find("2026-11-21" + session + ".md"), std::string::npos) << added->entries.front().file;
  }
}

TEST_F(WriteQueueTest, WhileTheIndexIsBusyAnAdditionIsDurableAndSaysSo) {
  WriteQueue queue(open());
  keeper->busy = true;
  auto answer = add(queue, {entry_of("kept all the same")});
  ASSERT_TRUE(queue.step(no_wait));
  const auto added = answer.get();
  ASSERT_TRUE(added);
  EXPECT_FALSE(added->searchable.yes);
  EXPECT_EQ(added->searchable.reason, "the index is busy");
  EXPECT_EQ(times(archive(), "kept all the same"), 1U);
}

TEST_F(WriteQueueTest, OperationsRunInTheirTurn) {
  WriteQueue queue(open());
  std::vector<std::string> seen;
  const auto look = [&](Memory& memory) {
    seen.push_back(std::to_string(memory.reader().value()->list(EntryFilter{}, 100).value().size()));
  };
  auto one = add(queue, {entry_of("one")});
  EXPECT_TRUE(queue.run(look));
  auto two = add(queue, {entry_of("two")}), three = add(queue, {entry_of("three")});
  EXPECT_TRUE(queue.run(look));
  EXPECT_TRUE(queue.step(no_wait));
  EXPECT_EQ(seen, (std::vector<std::string>{"1", "3"}));
}

TEST_F(WriteQueueTest, AnOperationThatThrowsHoldsUpNobody) {
  WriteQueue queue(open());
  EXPECT_TRUE(queue.run([](Memory&) { throw std::runtime_error("broken"); }));
  auto answer = add(queue, {entry_of("goes on")});
  EXPECT_TRUE(queue.step(no_wait));
  EXPECT_TRUE(answer.get());
}

TEST_F(WriteQueueTest, AnAdditionThatThereIsNoMemoryForFailsAlone) {
  struct NoMemory final : ForwardingFileSystem {
    bool short_of_it = false;
    Status write_once(const Fd& fd, std::string_view bytes, const path& name) override {
      if (short_of_it) throw std::bad_alloc();
      return below_.write_once(fd, bytes, name);
    }
  } forgetful;
  WriteQueue queue(open(forgetful));
  forgetful.short_of_it = true;
  auto one = add(queue, {entry_of("one")}), two = add(queue, {entry_of("two")});
  EXPECT_TRUE(queue.step(no_wait));
  for (auto* answer : {&one, &two}) {
    const auto failed = answer->get();
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().message.find("not enough memory"), std::string::npos) << failed.error().message;
  }
  forgetful.short_of_it = false;
  auto three = add(queue, {entry_of("three")});
  EXPECT_TRUE(queue.step(no_wait));
  EXPECT_TRUE(three.get());
}

TEST_F(WriteQueueTest, WhatWaitsAtTheEndIsDoneAndWhatComesLaterIsRefused) {
  WriteQueue queue(open());
  auto waiting = add(queue, {entry_of("in time")});
  queue.stop();
  auto late = add(queue, {entry_of("late")});
  ASSERT_TRUE(is_done(late));
  EXPECT_EQ(late.get().error().code, ErrorCode::refused);
  EXPECT_EQ(queue.run([](Memory&) { FAIL(); }).error().code, ErrorCode::refused);
  EXPECT_TRUE(queue.step(std::nullopt));
  EXPECT_TRUE(waiting.get());
  EXPECT_FALSE(queue.step(std::nullopt));
}

TEST_F(WriteQueueTest, TheQueueIsBounded) {
  WriteQueue queue(open());
  size_t ran = 0;
  for (size_t i = 0; i < WriteQueue::most_waiting; ++i) ASSERT_TRUE(queue.run([&](Memory&) { ++ran; }));
  auto one_too_many = add(queue, {entry_of("no room")});
  ASSERT_TRUE(is_done(one_too_many));
  EXPECT_EQ(one_too_many.get().error().code, ErrorCode::refused);
  EXPECT_TRUE(queue.step(no_wait));
  EXPECT_EQ(ran, WriteQueue::most_waiting);
  auto room_again = add(queue, {entry_of("room")});
  EXPECT_TRUE(queue.step(no_wait));
  EXPECT_TRUE(room_again.get());
}

TEST_F(WriteQueueTest, NothingToAddIsDoneAtOnce) {
  WriteQueue queue(open());
  EXPECT_TRUE(add(queue, {}).get()->entries.empty());
  EXPECT_TRUE(queue.step(no_wait));
}

}  // namespace
}  // namespace loci
