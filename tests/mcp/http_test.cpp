#include "mcp/http.h"

#include "tests/mcp/served_memory.h"

namespace loci::mcp {
namespace {

class McpOverHttp : public ServedMemory {
 protected:
  static std::string modern(const char* method, const char* more = "", const char* version = "2026-07-28") {
    return std::string(R"({"jsonrpc":"2.0","id":1,"method":")") + method + R"(","params":{)" + more +
           R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + version +
           R"(","io.modelcontextprotocol/clientCapabilities":{}}}})";
  }
  std::pair<int, int> post(const HttpPost& post) {
    const HttpAnswer answer = answer_post(server, post);
    if (answer.body.empty()) return {answer.status, 0};
    const Json body = parse_json(answer.body).value();
    return {answer.status, body.find("error") ? static_cast<int>(body.find("error")->integer_at("code")) : 0};
  }
  using Answer = std::pair<int, int>;  // the status of HTTP, the code of the error
};

TEST_F(McpOverHttp, AModernRequestSaysInItsHeadersWhatItsBodySays) {
  EXPECT_EQ(post({"2026-07-28", "tools/list", {}, modern("tools/list")}), Answer(200, 0));
  EXPECT_EQ(post({{}, "tools/list", {}, modern("tools/list")}), Answer(400, -32020));
  EXPECT_EQ(post({"2025-11-25", "tools/list", {}, modern("tools/list")}), Answer(400, -32020));
  EXPECT_EQ(post({"2026-07-28", {}, {}, modern("tools/list")}), Answer(400, -32020));
  EXPECT_EQ(post({"2026-07-28", "tools/call", {}, modern("tools/list")}), Answer(400, -32020));
  const std::string call = modern("tools/call", R"("name":"memory_status",)");
  EXPECT_EQ(post({"2026-07-28", "tools/call", "memory_status", call}), Answer(200, 0));
  EXPECT_EQ(post({"2026-07-28", "tools/call", "=?base64?bWVtb3J5X3N0YXR1cw==?=", call}), Answer(200, 0));
  EXPECT_EQ(post({"2026-07-28", "tools/call", "memory_search", call}), Answer(400, -32020));
  EXPECT_EQ(post({"2026-07-28", "tools/call", {}, call}), Answer(400, -32020));
}

TEST_F(McpOverHttp, WhatIsNotUnderstoodIsAnErrorOfHttpToo) {
  EXPECT_EQ(post({"1999-01-01", "tools/list", {}, modern("tools/list", "", "1999-01-01")}), Answer(400, -32022));
  EXPECT_EQ(post({"1999-01-01", {}, {}, R"({"jsonrpc":"2.0","id":1,"method":"ping"})"}), Answer(400, -32022));
  EXPECT_EQ(post({"2026-07-28", "no/such", {}, modern("no/such")}), Answer(404, -32601));
  EXPECT_EQ(post({"2026-07-28", "tools/list", {}, R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}})"}),
            Answer(400, -32602));
  EXPECT_EQ(post({{}, {}, {}, "{"}), Answer(400, -32700));
  EXPECT_EQ(post({{}, {}, {}, "[]"}), Answer(400, -32600));
}

TEST_F(McpOverHttp, TheLegacyErasHeadersAreOptional) {
  for (const auto& version : {std::optional<std::string>(), std::optional<std::string>("2025-06-18")}) {
    EXPECT_EQ(post({version, {}, {}, R"({"jsonrpc":"2.0","id":1,"method":"ping"})"}), Answer(200, 0));
    EXPECT_EQ(post({version, {}, {}, R"({"jsonrpc":"2.0","id":1,"method":"no/such"})"}), Answer(200, -32601));
    EXPECT_EQ(post({version, {}, {}, R"({"jsonrpc":"2.0","method":"notifications/initialized"})"}), Answer(202, 0));
  }
}

}  // namespace
}  // namespace loci::mcp
