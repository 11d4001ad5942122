// The rules of the scripted server, which stand for a model's judgement in tests of whole runs.
#include <gtest/gtest.h>

#include "model/fence.h"
#include "tests/model/asked_model.h"

namespace loci {
namespace {

constexpr const char* rules = R"json({"rules":{
  "decide":[{"when_fact":"just joined (\\w+)","replace_entry":"works at (\\w+)",
             "text":"Works at {fact:1} since {date}; previously: {entry}","about":["employer"]},
            {"when_fact":"good morning","ignore":"a greeting"},
            {"when_fact":"\\btea\\b","together":true,"text":"Drinks tea."},
            {"when_fact":"black coffee","duplicate_of":"coffee without"},
            {"when_fact":"secret","leave_out":true}],
  "keys":[{"when":"google|microsoft","about":["employer"]}],
  "promote":["tea"]}})json";

Json schema_of(const std::string& name, const std::string& fields) {
  std::string properties, required;
  for (size_t begin = 0; begin < fields.size();) {
    const size_t colon = fields.find(':', begin), end = std::min(fields.find(' ', begin), fields.size());
    const std::string field = fields.substr(begin, colon - begin), type = fields.substr(colon + 1, end - colon - 1);
    properties += (properties.empty() ? "\"" : ",\"") + field +
                  "\":" + (type == "array" ? R"({"type":"array","items":{"type":"string"}})" : "{\"type\":\"" + type + "\"}");
    required += (required.empty() ? "\"" : ",\"") + field + "\"";
    begin = end + 1;
  }
  return parse_json(R"({"type":"object","properties":{")" + name + R"(":{"type":"array","items":{"type":"object","properties":{)" +
                    properties + "},\"required\":[" + required + R"(],"additionalProperties":false}}},"required":[")" + name +
                    R"("],"additionalProperties":false})")
      .value();
}

std::string line(int number, const std::string& text) {
  return "{\"n\":" + std::to_string(number) + ",\"text\":" + fenced(text) + R"(,"date":"2026-11-20","about":["x"]})" + "\n";
}

// The answer, without the blanks after commas and colons.
std::string answer(const Json& schema, const std::string& input) {
  const ModelServer server(rules, test_key);
  auto request = a_request();
  request.schema = schema;
  request.input = input;
  const auto answer = open_for_test(settings_for(server, "anthropic"))->ask(request, {});
  EXPECT_TRUE(answer) << answer.error().message;
  const auto json = answer ? parse_json(answer->text) : Json();
  return json ? to_string(*json) : "no JSON";
}

std::string decide(const std::string& input) {
  return answer(schema_of("operations", "op:string facts:array target:integer of:integer text:string why:string"), input);
}

TEST(TheScriptedServer, DecidesByItsRules) {
  EXPECT_EQ(decide(fence("facts", line(1, "Just joined Microsoft.")) + fence("entries", line(2, "Works at Google as an SRE."))),
            R"({"operations":[{"op":"REPLACE","facts":[1],"target":2,"of":0,)"
            R"("text":"Works at Microsoft since 2026-11-20; previously: Works at Google as an SRE.","why":"",)"
            R"("about":["employer"],"kind":"change"}]})");
  EXPECT_EQ(decide(fence("facts", line(1, "Works at Google.") + line(2, "Just joined Microsoft."))),
            R"({"operations":[{"op":"ADD","facts":[1,2],"target":0,"of":0,)"
            R"("text":"Works at Microsoft since 2026-11-20; previously: Works at Google.","why":"","about":["employer"]}]})")
      << "what is replaced may be a fact as new as the other";
}

TEST(TheScriptedServer, SettlesEveryFactThatIsNotToBeLeftOut) {
  EXPECT_EQ(decide(fence("facts", line(1, "Said good morning.") + line(2, "Has a secret.") + line(3, "Likes tea.") +
                                      line(4, "Loves tea.") + line(5, "Black coffee.") + line(6, "Owns a dog.")) +
                   fence("entries", line(7, "Owns a dog.")) + fence("read_only", line(8, "Coffee without sugar."))),
            R"({"operations":[{"op":"IGNORE","facts":[1],"target":0,"of":0,"text":"","why":"a greeting"},)"
            R"({"op":"ADD","facts":[3,4],"target":0,"of":0,"text":"Drinks tea.","why":"","about":["x"]},)"
            R"({"op":"DUPLICATE","facts":[5],"target":0,"of":8,"text":"","why":""},)"
            R"({"op":"DUPLICATE","facts":[6],"target":0,"of":7,"text":"","why":""}]})");
}

TEST(TheScriptedServer, GivesKeysAndPromotes) {
  EXPECT_EQ(answer(schema_of("facts", "n:integer about:array"), fence("facts", line(1, "At Google.") + line(2, "Tea."))),
            R"({"facts":[{"n":1,"about":["employer"]},{"n":2,"about":[]}]})");
  EXPECT_EQ(answer(schema_of("lines", "id:string text:string"),
                   fence("entries", "{\"id\":\"c-1\",\"text\":\"Drinks tea.\"}\n{\"id\":\"c-2\",\"text\":\"Owns a dog.\"}\n")),
            R"({"lines":[{"id":"c-1","text":null}]})");
}

}  // namespace
}  // namespace loci
