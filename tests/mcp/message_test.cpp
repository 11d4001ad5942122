#include "mcp/message.h"

#include <gtest/gtest.h>

namespace loci::mcp {
namespace {

TEST(MessageOfMcp, IsOfTheEraThatItSays) {
  const auto legacy = read_message(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":3}}})");
  ASSERT_TRUE(legacy);
  EXPECT_FALSE(legacy->modern);
  const auto modern = read_message(
      R"({"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
  ASSERT_TRUE(modern);
  EXPECT_TRUE(modern->modern);
  EXPECT_EQ(modern->id, Json("a"));
  EXPECT_TRUE(check_era(*modern));
  EXPECT_TRUE(read_message(R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})")->modern);
}

TEST(MessageOfMcp, OfTheModernEraNamesItsRevisionAndWhatTheClientCan) {
  const auto error_of = [](const char* meta) {
    const auto message =
        read_message(std::string(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":)") + meta + "}}");
    const auto checked = message ? check_era(*message) : RpcResult<void>();
    return checked ? 0 : static_cast<int>(checked.error().code);
  };
  EXPECT_EQ(error_of("{}"), -32602);
  EXPECT_EQ(error_of(R"({"io.modelcontextprotocol/protocolVersion":20260728})"), -32602);
  EXPECT_EQ(error_of(R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"})"), -32602);
  EXPECT_EQ(error_of(R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]})"),
            -32602);
  EXPECT_EQ(error_of(R"({"io.modelcontextprotocol/protocolVersion":"1999-01-01","io.modelcontextprotocol/clientCapabilities":{}})"),
            -32022);
}

TEST(MessageOfMcp, WhatIsNoneIsAnsweredAsJsonRpcSays) {
  const std::pair<const char*, int> wrong[] = {
      {"", -32700},
      {"{", -32700},
      {"\xff\xfe", -32700},
      {"[]", -32600},
      {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", -32600},
      {"7", -32600},
      {R"({"id":1,"method":"ping"})", -32600},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", -32600},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":7}})", -32602},
  };
  for (const auto& [text, code] : wrong) {
    const auto message = read_message(text);
    ASSERT_FALSE(message) << text;
    EXPECT_EQ(message.error().find("error")->integer_at("code"), code) << text;
  }
  EXPECT_EQ(read_message(R"({"jsonrpc":"2.0","id":1,"result":{}})")->kind, Message::Kind::response);
  EXPECT_EQ(read_message(R"({"jsonrpc":"2.0","method":"x"})")->kind, Message::Kind::notification);
  for (const char* params : {"[]", "7", R"({"_meta":7})"}) {
    const auto unanswered = read_message(R"({"jsonrpc":"2.0","method":"x","params":)" + std::string(params) + "}");
    ASSERT_TRUE(unanswered) << "nobody waits for an answer: " << params;
    EXPECT_EQ(unanswered->kind, Message::Kind::notification);
  }
}

}  // namespace
}  // namespace loci::mcp
