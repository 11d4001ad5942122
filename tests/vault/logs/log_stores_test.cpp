#include "vault/logs/log_stores.h"

#include <gtest/gtest.h>

#include "parser/text_hash.h"

namespace loci {
namespace {

const std::string text = "The cellar's lock opens with 8812.";
const std::string hash = stored_text_hash(text), other_hash = stored_text_hash("Likes tea."), zeros(32, '0');
const PurgedText purged({{"x", text, hash}});

std::string purge(const Store& store, const std::string& line) { return store.purge("file.jsonl", line + "\n", purged).value(); }

TEST(LogStores, OfAPurgedEntryNoHashIsLeftInATombstone) {
  EXPECT_EQ(purge(tombstone_store, R"({"id":"x","text_hash":")" + hash + R"("})"), "{\"id\":\"x\",\"text_hash\":\"\"}\n");
  EXPECT_EQ(purge(tombstone_store, R"({"id":"x","text_hash":")" + other_hash + R"(","loose":")" + hash + R"("})"),
            "{\"id\":\"x\",\"text_hash\":\"\",\"loose\":\"\"}\n")
      << "what it said before is as secret";
  EXPECT_EQ(purge(tombstone_store, R"({"id":"y","text_hash":")" + other_hash + R"("})"),
            R"({"id":"y","text_hash":")" + other_hash + "\"}\n");
  EXPECT_EQ(purge(tombstone_store, R"({"id":")" + id_from_hash(hash) + R"(","text_hash":")" + hash + R"("})"), "");
}

TEST(LogStores, OfAPurgedEntryNoHashIsLeftInTheLedger) {
  EXPECT_EQ(purge(ledger_store, R"({"fact":"y","fact_hash":")" + hash + R"(","entry":"c","entry_hash":")" + other_hash + R"("})"),
            R"({"fact":"y","fact_hash":")" + zeros + R"(","entry":"c","entry_hash":")" + other_hash + "\"}\n");
  EXPECT_EQ(
      purge(ledger_store, R"({"fact":"y","fact_hash":")" + other_hash + R"(","entry":"x","entry_hash":")" + other_hash + R"("})"),
      R"({"fact":"y","fact_hash":")" + other_hash + R"(","entry":"x","entry_hash":")" + zeros + "\"}\n");
  EXPECT_EQ(purge(ledger_store, R"({"promoted":[{"ref":"x","line_hash":"1"},{"ref":"c","line_hash":"2"}]})"),
            "{\"promoted\":[{\"ref\":\"c\",\"line_hash\":\"2\"}]}\n");
}

TEST(LogStores, ASearchThatFoundItOrAskedForHalfOfItIsForgotten) {
  const std::string other = R"({"query":"what do I drink","ids":["y"]})";
  EXPECT_EQ(purge(retrieval_store, R"({"query":"tea","ids":["y","x"]})"), "");
  EXPECT_EQ(purge(retrieval_store, R"({"query":"the lock opens with 8812","ids":[]})"), "");
  EXPECT_EQ(purge(retrieval_store, other), other + "\n");
}

TEST(LogStores, ACountUnderAnIdThatIsAHashGoes) {
  EXPECT_EQ(purge(recall_count_store, R"({"day":"2026-01-02","counts":{")" + id_from_hash(hash) + R"(":[1,1],"y":[2,1]}})"),
            "{\"day\":\"2026-01-02\",\"counts\":{\"y\":[2,1]}}\n");
}

}  // namespace
}  // namespace loci
