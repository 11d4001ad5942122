#include "operations/schema.h"

#include <gtest/gtest.h>

#include <set>

#include "operations/table.h"

namespace loci {
namespace {

// What a row has to have so that every surface can be made from it.
TEST(TableOfOperations, EveryRowSaysWhatItIsAndTakesNothingTwice) {
  std::set<std::string_view> names, tools, routes;
  for (const MemoryOperation* operation : all_operations()) {
    EXPECT_TRUE(names.insert(operation->name).second) << operation->name;
    EXPECT_TRUE((operation->run || operation->tool.empty()) && !operation->summary.empty() && !operation->title.empty())
        << operation->name;
    EXPECT_TRUE(!operation->tool.empty() || !operation->path.empty()) << operation->name << " is on no surface";
    EXPECT_TRUE(operation->tool.empty() || tools.insert(operation->tool).second) << operation->tool;
    EXPECT_FALSE(operation->shape.begin() == operation->shape.end()) << operation->name;
    std::set<std::string_view> keys;
    for (const Parameter& parameter : operation->parameters) {
      EXPECT_TRUE(keys.insert(parameter.json_key()).second) << operation->name << " takes " << parameter.json_key() << " twice";
      EXPECT_TRUE(parameter.name.starts_with("--") && !parameter.help.empty()) << operation->name << " " << parameter.name;
      EXPECT_EQ(parameter.value.empty(), parameter.kind == ValueKind::none) << parameter.name;
    }
    EXPECT_EQ(keys.contains("id"), operation->path.contains("{id}") || operation->tool == "memory_get") << operation->name;
  }
}

TEST(InputSchema, HasBoundsChoicesAndNothingThatOnlyAPersonMayGive) {
  const Json schema = input_schema_of(*find_tool("memory_search"));
  EXPECT_EQ(to_string(*schema.find("required")), R"(["query"])");
  EXPECT_EQ(to_string(*schema.find("additionalProperties")), "false");
  const Json& properties = *schema.find("properties");
  EXPECT_EQ(properties.find("inactive"), nullptr);
  EXPECT_EQ(to_string(*properties.find("limit")->find("minimum")), "1");
  EXPECT_EQ(to_string(*properties.find("limit")->find("maximum")), "100");
  EXPECT_EQ(to_string(*properties.find("layer")->find("items")->find("enum")), R"(["L0","L1","L2"])");
  EXPECT_EQ(properties.find("history")->text_at("type"), "boolean");
}

TEST(ShapeOfAnAnswer, TellsAModelNothingThatSaysNothing) {
  static constexpr Field inner[] = {{"id"}, {"hash", Field::Type::text, Field::For::programs}, {"tags", Field::Type::texts}};
  static constexpr Field outer[] = {{"hits", Field::Type::objects, Field::For::everybody, inner}, {"next"}};
  const Json answer = parse_json(R"({"v":1,"hits":[{"id":"a","hash":"x","tags":[]},{"id":"b","tags":["t"]}],"next":null})").value();
  EXPECT_EQ(to_string(told_to_model(outer, answer)), R"({"hits":[{"id":"a"},{"id":"b","tags":["t"]}]})");
  EXPECT_EQ(to_string(told_to_model(outer, parse_json(R"({"hits":[]})").value())), R"({"hits":[]})");
  EXPECT_EQ(to_string(*schema_of(Shape(outer))
                           .find("properties")
                           ->find("hits")
                           ->find("items")
                           ->find("properties")
                           ->find("tags")
                           ->find("items")),
            R"({"type":"string"})");
}

}  // namespace
}  // namespace loci
