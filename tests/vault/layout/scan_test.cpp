#include "vault/layout/scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/as_nobody.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

class ScanTest : public testing::Test {
 protected:
  ScanTest() { fs::create_directories(folder_ / "vault"); }

  void put(const std::string& relative, const std::string& bytes = "text\n") { folder_.write("vault/" + relative, bytes); }
  void link(const std::string& relative, const fs::path& target) {
    fs::create_directories((folder_ / ("vault/" + relative)).parent_path());
    fs::create_symlink(target, folder_ / ("vault/" + relative));
  }
  void configure(const std::string& toml) { folder_.write("home/.config/loci/config.toml", toml); }

  Vault vault() {
    auto vault = Vault::open(folder_ / "vault", environment_in(folder_), real_file_system(), clock_);
    EXPECT_TRUE(vault) << vault.error().message;
    return std::move(*vault);
  }

  Scan swept() {
    auto result = scan(vault());
    EXPECT_TRUE(result) << result.error().message;
    return std::move(*result);
  }

  static std::vector<std::string> paths(const std::vector<FileState>& files) {
    std::vector<std::string> names;
    for (const FileState& file : files) names.push_back(file.path);
    return names;
  }
  std::vector<std::string> files() { return paths(swept().files); }
  std::vector<std::pair<std::string, std::string>> problems() {
    std::vector<std::pair<std::string, std::string>> found;
    for (const Problem& problem : swept().problems) found.emplace_back(problem.file, problem.code);
    return found;
  }

  // What the sweep lists is what looking at each path alone finds, and nothing else of `others` is.
  void expect_examine_agrees(const std::vector<std::string>& others) {
    const Vault opened = vault();
    const Scan all = swept();
    for (const FileState& file : all.files) {
      const auto alone = examine(opened, file.path);
      ASSERT_TRUE(alone);
      EXPECT_EQ(*alone, file) << file.path;
      EXPECT_FALSE(is_ignored(opened, file.path)) << file.path;
    }
    for (const std::string& path : others) {
      const auto alone = examine(opened, path);
      ASSERT_TRUE(alone) << path;
      EXPECT_EQ(*alone, std::nullopt) << path;
    }
  }

  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(ScanTest, MarkdownFilesAreListedByPathWithTheirState) {
  put("b.md", "12345");
  put("a/z.md");
  put("a b.md");
  put("a-b.markdown");
  put("archive/2026-11-21.md");
  put("picture.png");
  put("notes.txt");
  EXPECT_THAT(files(), ElementsAre("a b.md", "a-b.markdown", "a/z.md", "archive/2026-11-21.md", "b.md"));

  struct stat info{};
  ASSERT_EQ(::stat((folder_ / "vault/b.md").c_str(), &info), 0);
  const FileState state = swept().files.back();
  EXPECT_EQ(state.size, 5u);
  EXPECT_EQ(state.inode, info.st_ino);
  EXPECT_EQ(state.mtime_ns, info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec);
  EXPECT_EQ(state.ctime_ns, info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec);
  EXPECT_FALSE(state.untrusted);
}

// Enough for several threads, whose shares do not come out even.
TEST_F(ScanTest, AFolderWithManyNamesIsListedWhole) {
  std::vector<std::string> expected;
  for (int i = 0; i < 1291; ++i) {
    const std::string number = std::to_string(10'000 + i);
    put("many/" + number + ".md", std::string(static_cast<size_t>(i % 7 + 1), 'x'));
    expected.push_back("many/" + number + ".md");
    if (i % 10 == 0) put("many/" + number + ".txt");
    if (i % 100 == 0) {
      put("many/" + number + "/deep.md");
      expected.push_back("many/" + number + "/deep.md");
    }
  }
  std::ranges::sort(expected);
  EXPECT_EQ(files(), expected);
  expect_examine_agrees({"many/10000.txt", "many/10000", "many/absent.md"});
}

// More of them than may be open at once.
TEST_F(ScanTest, ManyFoldersWithFewNamesEachAreListedWhole) {
  std::vector<std::string> expected;
  for (int folder_number = 100; folder_number < 180; ++folder_number)
    for (int i = 10; i < 22; ++i) {
      expected.push_back(std::to_string(folder_number) + "/inner/" + std::to_string(i) + ".md");
      put(expected.back(), std::string(static_cast<size_t>(i), 'x'));
    }
  const Scan found = swept();
  ASSERT_EQ(found.files.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found.files[i].path, expected[i]);
    EXPECT_EQ(found.files[i].size, i % 12 + 10);
  }
}

TEST_F(ScanTest, AnEmptyVaultHasNothing) {
  const Scan nothing = swept();
  EXPECT_THAT(nothing.files, IsEmpty());
  EXPECT_THAT(nothing.logs, IsEmpty());
  EXPECT_THAT(nothing.problems, IsEmpty());
}

TEST_F(ScanTest, HiddenFilesBackupsAndEditorFilesNeverCount) {
  put("kept.md");
  const std::vector<std::string> never = {".hidden.md",   ".obsidian/x.md",  ".trash/old.md", "a/.git/x.md", ".loci/tmp/x.md",
                                          ".#kept.md",    "kept.md~",        "kept.md.bak",   "#kept.md#",   "4913",
                                          ".kept.md.swp", "old.bak/note.md", "old~/note.md",  "sedAb12Cd"};
  for (const auto& path : never) put(path);
  EXPECT_THAT(files(), ElementsAre("kept.md"));
  EXPECT_THAT(problems(), IsEmpty());
  expect_examine_agrees(never);
  for (const auto& path : never) EXPECT_EQ(is_ignored(vault(), path), path != "sedAb12Cd") << path;
}

TEST_F(ScanTest, ConflictCopiesAreListedApartAndNeverIndexed) {
  const std::vector<std::string> copies = {"a (Anna's conflicted copy 2026-11-21).md", "a.loci-conflict-20261121T201443Z.md",
                                           "a.sync-conflict-20261121-201443-ABCDEFG.png",
                                           "sub/a.sync-conflict-20261121-201443-ABCDEFG.md"};
  for (const auto& path : copies) put(path);
  put("a.md");
  put(".stversions/a.sync-conflict-20261121-201443-ABCDEFG.md");
  const Scan result = swept();
  EXPECT_THAT(paths(result.files), ElementsAre("a.md"));
  EXPECT_EQ(result.conflict_files, copies);
  expect_examine_agrees(copies);
}

TEST_F(ScanTest, PatternsOfTheConfigurationAndOfIgnoreFilesAddUp) {
  configure("[vault]\nignore = ['secret/', '*.draft.md']\n");
  put(".loci/config.toml", "[vault]\nignore = ['/build']\n");
  put(".lociignore", "# mine\nprivate.md\n!secret/\n");
  put("sub/.lociignore", "/only-here.md\n!private.md\n");
  for (const char* path : {"a.md", "only-here.md", "sub/a.md", "sub/private.md", "sub/x/only-here.md", "x/build/a.md"}) put(path);
  const std::vector<std::string> ignored = {"secret/a.md", "x.draft.md",   "build/a.md",
                                            "private.md",  "x/private.md", "sub/only-here.md"};
  for (const auto& path : ignored) put(path);
  EXPECT_THAT(files(), ElementsAre("a.md", "only-here.md", "sub/a.md", "sub/private.md", "sub/x/only-here.md", "x/build/a.md"));
  expect_examine_agrees(ignored);
  for (const auto& path : ignored) EXPECT_TRUE(is_ignored(vault(), path)) << path;
  for (const char* folder : {"secret", "build", "x/secret", "secret/deeper", ".hidden"})
    EXPECT_TRUE(is_ignored_folder(vault(), folder)) << folder;
  for (const char* folder : {"sub", "x", "x/build", "private.md"})
    EXPECT_EQ(is_ignored_folder(vault(), folder), folder == std::string("private.md"));
}

TEST_F(ScanTest, AnIgnoredFolderHidesItsProblemsToo) {
  put(".lociignore", "skip/\n");
  put("skip/a.sync-conflict-1.md");
  link("skip/loop", "..");
  link("skip/out.md", "/etc/hostname");
  EXPECT_THAT(problems(), IsEmpty());
  EXPECT_THAT(swept().conflict_files, IsEmpty());
}

TEST_F(ScanTest, AnIgnoreFileThatCannotBeReadIsAProblemAndIgnoresNothing) {
  fs::create_directories(folder_ / "vault/.lociignore");
  put("a.md");
  EXPECT_THAT(files(), ElementsAre("a.md"));
  EXPECT_THAT(problems(), ElementsAre(Pair(".lociignore", "unreadable")));
  expect_examine_agrees({});
}

TEST_F(ScanTest, UntrustedPatternsMarkFiles) {
  configure("[vault]\nuntrusted = ['Clippings/**']\n");
  put(".loci/config.toml", "[vault]\nuntrusted = ['web/', '!Clippings/x.md']\n");
  for (const char* path : {"Clippings/x.md", "a.md", "notes/web/y.md"}) put(path);
  const Scan result = swept();
  ASSERT_EQ(result.files.size(), 3u);
  EXPECT_TRUE(result.files[0].untrusted) << "the user's rule has the last word";
  EXPECT_FALSE(result.files[1].untrusted);
  EXPECT_TRUE(result.files[2].untrusted);
  expect_examine_agrees({});
}

TEST_F(ScanTest, PatternsBeyondTheFirstThousandAtOnePlaceAreAProblem) {
  const auto patterns = [](int count) {
    std::string text = "# not one\n\n";
    for (int i = 0; i < count; ++i) text += "no" + std::to_string(i) + ".md\n";
    return text;
  };
  put(".lociignore", patterns(600));
  put("a/.lociignore", patterns(400) + "x.md\n" + std::string(1001, 'y') + "\n");
  put("b/.lociignore", "x.md\n");
  for (const char* path : {"a/x.md", "b/x.md", "b/no599.md", "c/x.md"}) put(path);
  EXPECT_THAT(files(), ElementsAre("a/x.md", "c/x.md"));
  EXPECT_THAT(problems(), ElementsAre(Pair("a/.lociignore", "too-many-patterns")));
  EXPECT_THAT(swept().problems[0].message, HasSubstr("2 patterns do not count"));
  expect_examine_agrees({"b/x.md", "b/no599.md"});
}

TEST_F(ScanTest, AFileOverTheLimitIsAProblem) {
  configure("[vault]\nmax_file_bytes = 10\n");
  put("fits.md", "0123456789");
  put("big.md", "0123456789a");
  EXPECT_THAT(files(), ElementsAre("fits.md"));
  EXPECT_THAT(problems(), ElementsAre(Pair("big.md", "too-large")));
  expect_examine_agrees({"big.md"});
}

TEST_F(ScanTest, ANameThatJsonCannotCarryIsAProblem) {
  put("good.md");
  put("line\nbreak.md");
  put("bad\xff.md");
  put("bad\xff.png");
  put("folder\xff/a.md");
  EXPECT_THAT(files(), ElementsAre("good.md"));
  EXPECT_THAT(problems(), UnorderedElementsAre(Pair("line?break.md", "bad-name"), Pair("bad\uFFFD.md", "bad-name"),
                                               Pair("folder\uFFFD", "bad-name")));
  expect_examine_agrees({"line\nbreak.md", "bad\xff.md", "folder\xff/a.md"});
}

TEST_F(ScanTest, OnlyRegularFilesCount) {
  put("a.md");
  ASSERT_EQ(::mkfifo((folder_ / "vault/fifo.md").c_str(), 0600), 0);
  fs::create_directories(folder_ / "vault/folder.md");
  put("folder.md/inside.md");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string name = (folder_ / "vault/s.md").string();
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
  EXPECT_THAT(files(), ElementsAre("a.md", "folder.md/inside.md"));
  expect_examine_agrees({"fifo.md", "folder.md", "s.md"});
}

TEST_F(ScanTest, ALinkInsideTheVaultAddsNothingThatIsThereAlready) {
  put("real/a.md");
  link("again", "real");
  link("b.md", "real/a.md");
  EXPECT_THAT(files(), ElementsAre("real/a.md"));
  EXPECT_THAT(problems(), IsEmpty());
  expect_examine_agrees({"again/a.md", "b.md"});
}

TEST_F(ScanTest, ALinkCanGiveAMarkdownNameToATextFile) {
  put("todo.txt", "buy milk\n");
  link("todo.md", "todo.txt");
  link("todo.html", "todo.txt");
  EXPECT_THAT(files(), ElementsAre("todo.md"));
  EXPECT_EQ(swept().files[0].size, 9u);
  expect_examine_agrees({"todo.txt", "todo.html"});
}

TEST_F(ScanTest, ALinkDoesNotUncoverWhatIsHiddenOrIgnored) {
  put(".lociignore", "private/\n");
  put("private/a.txt");
  put(".secret.txt");
  link("a.md", "private/a.txt");
  link("b.md", ".secret.txt");
  link("trash", ".trash");
  put(".trash/old.md");
  EXPECT_THAT(files(), IsEmpty());
  expect_examine_agrees({"a.md", "b.md", "trash/old.md"});
}

TEST_F(ScanTest, ALinkOutOfTheVaultIsNeverFollowed) {
  folder_.write("outside/a.md", "secret\n");
  link("out", "../outside");
  link("sub/out.md", "../../outside/a.md");
  link("out.png", "../outside/a.md");
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_THAT(problems(), UnorderedElementsAre(Pair("out", "link-outside"), Pair("sub/out.md", "link-outside")));
  expect_examine_agrees({"out/a.md", "sub/out.md"});
}

TEST_F(ScanTest, ASiblingWhoseNameStartsLikeTheVaultIsOutside) {
  folder_.write("vault-copy/a.txt", "secret\n");
  link("a.md", "../vault-copy/a.txt");
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_THAT(problems(), ElementsAre(Pair("a.md", "link-outside")));
}

TEST_F(ScanTest, LoopsOfLinksAndDanglingLinksAreNamedAndTheRestGoesOn) {
  put("a/b/note.md");
  link("a/b/up", "..");
  link("a/top", folder_ / "vault");
  link("self.md", "self.md");
  link("gone.md", "nowhere.md");
  EXPECT_THAT(files(), ElementsAre("a/b/note.md"));
  EXPECT_THAT(problems(), UnorderedElementsAre(Pair("a/b/up", "link-loop"), Pair("a/top", "link-loop"),
                                               Pair("self.md", "link-loop"), Pair("gone.md", "link-dangling")));
  expect_examine_agrees({"a/b/up/b/note.md", "a/top/a/b/note.md", "self.md", "gone.md"});
}

TEST_F(ScanTest, FoldersNestedWithoutEndStopSomewhere) {
  std::string deep;
  for (int i = 0; i < 140; ++i) deep += "d/";
  put(deep + "note.md");
  put("d/near.md");
  EXPECT_THAT(files(), ElementsAre("d/near.md"));
  ASSERT_EQ(problems().size(), 1u);
  EXPECT_EQ(problems()[0].second, "too-deep");
}

TEST_F(ScanTest, AFolderThatCannotBeReadIsAProblemAndTheRestGoesOn) {
  put("open/a.md");
  put("shut/b.md");
  fs::permissions(folder_ / "vault/shut", fs::perms::none);
  const AsNobody nobody(folder_.path());
  EXPECT_THAT(files(), ElementsAre("open/a.md"));
  EXPECT_THAT(problems(), ElementsAre(Pair("shut", "unreadable")));
}

TEST_F(ScanTest, LogsAreListedApart) {
  put(".loci/tombstones/test.jsonl");
  put(".loci/tombstones/k3f9.jsonl");
  put(".loci/ledger/test.jsonl");
  put(".loci/ledger/.test.jsonl.tmp");
  put(".loci/ledger/notes.txt");
  put(".loci/recall/test.jsonl");
  fs::create_directories(folder_ / "vault/.loci/ledger/folder.jsonl");
  const Scan result = swept();
  EXPECT_THAT(paths(result.logs),
              ElementsAre(".loci/ledger/test.jsonl", ".loci/tombstones/k3f9.jsonl", ".loci/tombstones/test.jsonl"));
  EXPECT_THAT(problems(), ElementsAre(Pair(".loci/ledger/folder.jsonl", "bad-log")));
  for (const FileState& log : result.logs) EXPECT_EQ(examine(vault(), log.path).value(), log) << log.path;
  EXPECT_EQ(examine(vault(), ".loci/tombstones/none.jsonl").value(), std::nullopt);
  EXPECT_EQ(examine(vault(), ".loci/recall/test.jsonl").value(), std::nullopt);
}

TEST_F(ScanTest, ALogFolderThatLeadsOutOfTheVaultIsNotRead) {
  folder_.write("outside/x.jsonl", "");
  link(".loci/tombstones", "../../outside");
  link(".loci/ledger/x.jsonl", "../../../outside/x.jsonl");
  EXPECT_THAT(swept().logs, IsEmpty());
  EXPECT_THAT(problems(), UnorderedElementsAre(Pair(".loci/tombstones", "unreadable"), Pair(".loci/ledger/x.jsonl", "bad-log")));
  EXPECT_EQ(examine(vault(), ".loci/tombstones/x.jsonl").value(), std::nullopt);
  EXPECT_EQ(examine(vault(), ".loci/ledger/x.jsonl").value(), std::nullopt);
}

TEST_F(ScanTest, ExamineFindsNothingUnderAnImpossiblePath) {
  folder_.write("outside.md", "secret\n");
  put("a.md");
  for (const char* path :
       {"", "/", "a.md/", "../outside.md", "./a.md", "sub/../a.md", "/etc/hostname.md", "a.md/b.md", "none/b.md", "b.md"})
    EXPECT_EQ(examine(vault(), path).value(), std::nullopt) << path;
  EXPECT_EQ(examine(vault(), std::string(300, 'x') + ".md").value(), std::nullopt);
}

TEST_F(ScanTest, AVaultThatIsGoneIsNotFoundRatherThanEmpty) {
  const Vault opened = vault();
  fs::remove_all(folder_ / "vault");
  const auto result = scan(opened);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::not_found);
}

TEST_F(ScanTest, LookingChangesNothing) {
  put("a.md");
  put(".lociignore", "x\n");
  put("sub/b.md");
  link("up", "sub");
  const auto before = folder_.contents();
  (void)swept();
  expect_examine_agrees({});
  EXPECT_EQ(folder_.contents(), before);
}

}  // namespace
}  // namespace loci
