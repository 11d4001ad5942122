// Whatever is typed, a search answers.
#include <cstdlib>
#include <random>

#include "tests/recall/searchable_vault.h"

namespace loci {
namespace {

// 10,000 queries, times $LOCI_TEST_SCALE.
size_t trials() {
  const char* scale = std::getenv("LOCI_TEST_SCALE");
  return 10'000 * static_cast<size_t>(std::max(1L, scale ? std::strtol(scale, nullptr, 10) : 1));
}

std::string some_query(std::mt19937& random) {
  static const std::vector<std::string> pieces = {"what's",
                                                  "alpha-one",
                                                  "NOT",
                                                  "AND",
                                                  "OR",
                                                  "NEAR(",
                                                  "user:x",
                                                  "text:",
                                                  "context : a",
                                                  "*",
                                                  "**",
                                                  "a*",
                                                  "^",
                                                  "^a",
                                                  "\"",
                                                  "\"\"",
                                                  "'",
                                                  "''",
                                                  "(",
                                                  ")",
                                                  "{a b}:",
                                                  "+",
                                                  "-",
                                                  "--",
                                                  "-a",
                                                  "-\"",
                                                  "- ",
                                                  "tag:",
                                                  "tag:\"",
                                                  "tag:x",
                                                  "-tag:x",
                                                  "since:",
                                                  "since:2026-05",
                                                  "until:soon",
                                                  "layer:L2",
                                                  "kind:turn",
                                                  "session:s1",
                                                  "project:\"a b\"",
                                                  ";",
                                                  "; DROP TABLE entries;",
                                                  "%",
                                                  "_",
                                                  "\\",
                                                  "/",
                                                  "a/b/c",
                                                  "NULL",
                                                  "0",
                                                  "1e9",
                                                  "deploy",
                                                  "redis",
                                                  "the",
                                                  "猫",
                                                  "数据库备份时间",
                                                  "배포",
                                                  "🦓",
                                                  "👨‍👩‍👧",
                                                  "é",
                                                  "e\u0301",
                                                  "ß",
                                                  "\u200d",
                                                  "\u202e",
                                                  "\ufeff",
                                                  "\xff",
                                                  "\xc3",
                                                  "\xf0\x9f",
                                                  "\n",
                                                  "\t",
                                                  "\r",
                                                  " ",
                                                  "  ",
                                                  "“",
                                                  "”",
                                                  "=deploy",
                                                  "=",
                                                  "v1.2.3",
                                                  "me@example.org",
                                                  "O'Brien",
                                                  "l'eau",
                                                  "went",
                                                  "photo"};
  static const std::string nul("\0", 1);
  std::string query;
  const size_t count = random() % 12;
  for (size_t i = 0; i < count; ++i) {
    const auto choice = random() % (pieces.size() + 8);
    if (choice < pieces.size())
      query += pieces[choice];
    else if (choice == pieces.size())
      query += nul;
    else
      query += static_cast<char>(random() % 256);
    if (random() % 2) query += ' ';
  }
  if (random() % 500 == 0) query += std::string(random() % 6000, static_cast<char>('a' + random() % 4));
  return query;
}

TEST(QueryFuzz, NoInputIsAnError) {
  SearchableVault vault;
  vault.write("archive/sessions/2026-11-20-s1.md",
              {{"t0", "Ada: deploy redis, what's up?", R"("kind":"turn","session":"s1","turn":0)"},
               {"t1", "Bob: alpha-one went to 数据库备份 🦓", R"("kind":"turn","session":"s1","turn":1,"tags":["x"])"}});
  vault.write("note.md", "- the photo of O'Brien at a/b/c\n- v1.2.3 é 배포 #x\n");
  std::mt19937 random(7);
  for (size_t i = 0; i < trials(); ++i) {
    const std::string query = some_query(random);
    SearchOptions options;
    options.threads = random() % 2;
    options.history = random() % 2;
    const auto result = search(vault.reader(), parse_query(query), options, vault.clock.now());
    ASSERT_TRUE(result) << testing::PrintToString(query) << ": " << result.error().message;
    ASSERT_LE(result->hits.size(), options.limit);
  }
}

}  // namespace
}  // namespace loci
