// A memory in a temporary folder, served by MCP without a transport.
#pragma once

#include "mcp/server.h"
#include "tests/memory/memory_fixture.h"

namespace loci::mcp {

class ServedMemory : public MemoryTest {
 protected:
  Json answer(const Message& request) { return server.answer(request); }

  Message message(const std::string& method, const char* params, bool modern) {
    Message made;
    made.id = 7;
    made.method = method;
    made.params = parse_json(params).value();
    made.modern = modern;
    if (!modern) return made;
    Json meta = made.params.find("_meta") ? *made.params.find("_meta") : Json::object();
    meta.set(version_key, modern_version);
    meta.set(capabilities_key, Json::object());
    made.params.set("_meta", std::move(meta));
    return made;
  }

  // The result, or the error as {"code":…}.
  Json ask(const std::string& method, const char* params = "{}", bool modern = false) {
    const Json answered = answer(message(method, params, modern));
    EXPECT_EQ(to_string(*answered.find("id")), "7");
    const Json* result = answered.find("result");
    return result ? *result : *answered.find("error");
  }

  Json call(const std::string& tool, const std::string& arguments) {
    return ask("tools/call", (R"({"name":")" + tool + R"(","arguments":)" + arguments + "}").c_str());
  }

  std::string id_of_written(const std::string& arguments) {
    const Json written = call("memory_write", arguments);
    const Json* content = written.find("structuredContent");
    EXPECT_TRUE(content) << to_string(written);
    return content ? content->text_at("id") : std::string();
  }

  Surroundings around;
  Server server{Host{.with_memory = [this](bool, const std::function<Status(Memory&)>& use) -> Status {
                       Memory memory = open();
                       return use(memory);
                     },
                     .around = around,
                     .version = "1"}};
};

}  // namespace loci::mcp
