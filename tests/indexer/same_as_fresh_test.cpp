// The oracle: after any sequence of changes the index equals one that is built from nothing.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <map>

#include "parser/parser.h"
#include "parser/text_hash.h"
#include "tests/indexer/indexed_vault.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

// One change, decoded from small numbers, so that a failing sequence shrinks well.
using Step = std::array<std::uint8_t, 4>;

constexpr std::array paths = {"archive/2026-01-01.md",
                              "aaa.md",  // sorts before archive/, but what stands there has the first claim
                              "archive/2026-01-02.md",
                              "archive/sessions/2026-01-03-s1.md",
                              "consolidated/memory.md",
                              "notes/a.md",
                              "notes/b.md",
                              "MEMORY.md",
                              "user.md"};

std::string block_of(std::uint8_t choice, std::uint8_t variant) {
  const std::string id = "x" + std::to_string(variant % 5);
  const std::string words = std::array{"alpha beta", "gamma", "delta #tag", "alpha beta", "epsilon"}[variant / 5 % 5];
  switch (choice % 16) {
    case 0:
    case 1:
      return fact(id, words);
    case 2:
      return fact(id, words, R"("tags":["red"],"project":"atlas")");
    case 3:
      return fact("c" + id, words, R"("from":["x1","x2"])");
    case 4:
    case 5:
      return turn("t" + std::to_string(variant % 12), variant % 3 == 0 ? "s1" : "s2", variant % 4, words);
    case 6:
      return "# heading " + std::to_string(variant % 3) + "\n\n";
    case 7:
    case 8:
      return words + "\n\n";
    case 9:
      return "- " + words + "\n- zeta\n\n";
    case 10:
      return "<!--m {\"id\":\"" + id + "\",\"id\":1}-->\n" + words + "\n\n";
    case 11:
      return "<!--m {\"id\":\"" + id + "\",\"end\":1}-->\n" + words + "\n\nmore\n<!--/m-->\n\n";
    case 12:
      return "```\n" + words + "\n```\n\n";
    case 13:
      return fact("h-0123456789abcdef0123", words);
    case 14:
      return "<!--m {\"ref\":\"c" + id + "\"}-->\n- " + words + "\n";  // in MEMORY.md it shows another entry
    default:
      // Behind as much as this, reading can start again: what changes above or below is then read by itself.
      return "<!-- " + std::string(checkpoint_spacing, 'x') + " -->\n\n";
  }
}

class Vandal {
 public:
  void act(const Step& step) {
    const auto [what, where, choice, variant] = step;
    const std::string path = paths[where % 2 == 0 ? where / 2 % 4 : where % paths.size()];  // much happens to the first four
    const std::string other = paths[choice % paths.size()];
    auto& blocks = files_[path];
    const size_t block = blocks.empty() ? 0 : choice % blocks.size();
    switch (what % 12) {
      case 0:
      case 1:
      case 2:
        blocks.push_back(block_of(choice, variant));
        return append(path, blocks.back());
      case 3:
        blocks.insert(blocks.begin() + static_cast<std::ptrdiff_t>(block), block_of(choice, variant));
        break;
      case 4:
        if (!blocks.empty()) blocks[block] = block_of(variant, choice);
        break;
      case 5:
        if (!blocks.empty()) blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(block));
        break;
      case 6:
        files_.erase(path);
        vault.remove(path);
        return;
      case 7:
        if (other == path || blocks.empty()) return;
        files_[other] = blocks;
        files_.erase(path);
        vault.remove(path);
        return write(other);
      case 8:
        if (other == path) return;
        files_[other] = blocks;
        return write(other);
      case 9:
        return tombstone(choice, variant);
      case 10:
        return ledger(choice, variant);
      default:
        if (variant % 4 == 0) vault.remove(".loci/tombstones/" + std::string(choice % 2 == 0 ? "aaaa" : "bbbb") + ".jsonl");
        if (variant % 4 == 1) vault.remove(".loci/ledger/aaaa.jsonl");
        return;
    }
    write(path);
  }

  IndexedVault vault;

 private:
  void write(const std::string& path) {
    std::string bytes;
    for (const auto& block : files_[path]) bytes += block;
    vault.write(path, bytes);
  }
  void append(const std::string& path, const std::string& block) {
    if (files_[path].size() == 1) return write(path);
    vault.append(path, block);
  }

  std::string any_id(std::uint8_t variant) { return (variant % 7 == 6 ? "cx" : "x") + std::to_string(variant % 5); }
  std::string any_home(int number) { return (number % 5 == 4 ? "x" : "cx") + std::to_string(number % 3); }
  std::string hash_of_any_text(std::uint8_t variant) {
    const std::string words = std::array{"alpha beta", "gamma", "epsilon"}[variant % 3];
    return text_hash(words).substr(0, 32);
  }
  void tombstone(std::uint8_t choice, std::uint8_t variant) {
    Tombstone line;
    line.at = vault.clock.now() - std::chrono::hours(variant % 3);
    line.id = any_id(variant);
    if (variant % 2 == 0) line.text_hash = hash_of_any_text(choice);
    line.reason = static_cast<Tombstone::Reason>(choice % 4);
    line.by = "user";
    line.superseded_by = choice % 5 == 0 ? "x0" : "";
    vault.append(std::string(".loci/tombstones/") + (choice % 2 == 0 ? "aaaa" : "bbbb") + ".jsonl", format(line));
  }
  void ledger(std::uint8_t choice, std::uint8_t variant) {
    LedgerEntry line;
    line.generation = 1 + variant / 64;
    line.run = "r";
    line.at = vault.clock.now();
    line.fact = any_id(choice);
    line.fact_hash = hash_of_any_text(variant);
    line.outcome = static_cast<LedgerEntry::Outcome>(variant % 6);
    // Entries that come and go, and merges in chains and circles.
    if (choice / 5 % 4 != 0) line.entry = any_home(choice / 20);
    if (!line.entry.empty() && choice % 2 == 0) line.into = any_home(variant / 6);
    vault.append(".loci/ledger/aaaa.jsonl", format(line));
  }

  std::map<std::string, std::vector<std::string>> files_;
};

// Like REQUIRE, with what differs in the report.
void require_same_as_fresh(const IndexedVault& vault) {
  const auto differences = vault.differences();
  if (!differences.empty()) RC_FAIL(differences);
}

TEST(AnIncrementalIndex, EqualsAFreshOneAfterAnySequenceOfChanges) {
  EXPECT_TRUE(rc::check("reconciled after each change", [] {
    const auto steps = *rc::gen::resize(60, rc::gen::arbitrary<std::vector<Step>>());
    Vandal vandal;
    vandal.vault.reconcile();
    for (const auto& step : steps) {
      vandal.act(step);
      vandal.vault.reconcile();
    }
    require_same_as_fresh(vandal.vault);
  }));
}

// The lines of MEMORY.md that show an entry are often the same twice, and move.
TEST(AnIncrementalIndex, EqualsAFreshOneWhenTheFirstOfTwoEqualLinesOfTheCoreComesLater) {
  const std::string line = "<!--m {\"ref\":\"c-1\"}-->\n- alpha beta\n\n";
  IndexedVault vault;
  vault.write("MEMORY.md", "Mine.\n\n" + line);
  vault.reconcile();
  vault.write("MEMORY.md", line + "Mine.\n\n" + line);
  vault.reconcile();
  EXPECT_EQ(vault.differences(), "");
  vault.write("MEMORY.md", "Mine.\n\n" + line);
  vault.reconcile();
  EXPECT_EQ(vault.differences(), "");
}

TEST(AnIncrementalIndex, EqualsAFreshOneAfterManyChangesAtOnce) {
  EXPECT_TRUE(rc::check("reconciled after some changes", [] {
    const auto rounds = *rc::gen::resize(12, rc::gen::arbitrary<std::vector<std::vector<Step>>>());
    Vandal vandal;
    vandal.vault.reconcile();
    for (const auto& steps : rounds) {
      for (const auto& step : steps) vandal.act(step);
      vandal.vault.reconcile();
    }
    require_same_as_fresh(vandal.vault);
  }));
}

TEST(AnIncrementalIndex, EqualsAFreshOneWhenItIsToldWhichFilesChanged) {
  EXPECT_TRUE(rc::check("reconciled by path", [] {
    const auto steps = *rc::gen::resize(60, rc::gen::arbitrary<std::vector<Step>>());
    Vandal vandal;
    vandal.vault.reconcile();
    const std::vector<std::string> all(paths.begin(), paths.end());
    for (const auto& step : steps) {
      vandal.act(step);
      vandal.vault.reconcile(all);
    }
    require_same_as_fresh(vandal.vault);
  }));
}

}  // namespace
}  // namespace loci
