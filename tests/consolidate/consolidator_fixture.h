// Whole runs, with a model that says what a test told it to.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "consolidate/consolidator.h"
#include "consolidate/decide/decide_prompt.h"
#include "consolidate/decide/second_reading.h"
#include "model/model_use.h"
#include "tests/consolidate/consolidate_fixture.h"
#include "tests/support/scripted_model.h"

namespace loci {

// The numbers of the facts in a request to decide, and their texts.
inline std::vector<std::pair<std::int64_t, std::string>> facts_in(const ModelRequest& request) {
  std::vector<std::pair<std::int64_t, std::string>> facts;
  const size_t begin = request.input.find("<facts>\n"), end = request.input.find("</facts>");
  std::istringstream lines(request.input.substr(begin, end - begin));
  for (std::string line; std::getline(lines, line);)
    if (const auto json = parse_json(line); json && json->find("n"))
      facts.emplace_back(*json->find("n")->as_integer(), json->text_at("text"));
  return facts;
}

inline std::string add_of(std::int64_t number, const std::string& text) {
  Json operation = Json::object();
  operation.set("op", "ADD");
  operation.set("facts", Json(Json::Array{Json(number)}));
  for (const char* key : {"target", "into", "of"}) operation.set(key, 0);
  operation.set("text", text);
  operation.set("about", Json::array());
  operation.set("kind", "none");
  operation.set("why", "");
  return to_string(operation);
}

// Adds every fact as it is, gives no keys and promotes nothing.
inline Result<std::string> add_everything(const ModelRequest& request) {
  if (request.task.starts_with("promote/")) return R"({"lines":[]})";
  if (request.task.starts_with("keys/")) return R"({"facts":[]})";
  if (request.task == verify_prompt_version) return R"({"problems":[]})";
  std::string operations;
  for (const auto& [number, text] : facts_in(request)) operations += (operations.empty() ? "" : ",") + add_of(number, text);
  return R"({"operations":[)" + operations + "]}";
}

class ConsolidatorTest : public ConsolidateTest {
 protected:
  void use_model(const std::string& settings = {}, const std::string& vault_settings = {}) {
    folder.write(
        "home/.config/loci/config.toml",
        "[consolidation]\nmodel = \"scripted\"\n" + settings +
            "\n[models.scripted]\nprovider = \"ollama\"\nmodel = \"x\"\nmax_tokens_a_day = " + std::to_string(tokens_a_day) + "\n");
    if (!vault_settings.empty()) write(".loci/config.toml", vault_settings);
    memory.emplace(open());
    model.answer_always(add_everything);
  }

  Consolidated consolidate_now(ConsolidateOptions options = {
                                   .force = true, .dry_run = false, .rebuild = false, .stop = {}, .progress = {}}) {
    const auto lend = [this]() -> Result<std::unique_ptr<LanguageModel>> { return std::make_unique<Borrowed>(model); };
    auto done = consolidate(*memory, lend, options);
    if (!done) ADD_FAILURE() << done.error().message;
    clock.advance(std::chrono::minutes(1));
    return done ? std::move(*done) : Consolidated{};
  }
  Consolidated dry_run() { return consolidate_now({.force = true, .dry_run = true, .rebuild = false, .stop = {}, .progress = {}}); }

  std::vector<std::string> durable() {
    std::vector<std::string> texts;
    for (const DurableEntry& entry : material().entries) texts.push_back(entry.text);
    std::ranges::sort(texts);
    return texts;
  }
  ModelUse use() { return read_model_use(real_file_system(), memory->vault().state_folder(), clock.local_date(clock.now())); }

  // The model that the test holds, for one run.
  class Borrowed final : public LanguageModel {
   public:
    explicit Borrowed(ScriptedModel& model) : model_(model) {}
    Result<ModelAnswer> ask(const ModelRequest& request, std::stop_token stop) override { return model_.ask(request, stop); }
    std::int64_t tokens_to_send(const ModelRequest& request) const override { return model_.tokens_to_send(request); }
    const std::string& name() const override { return model_.name(); }

   private:
    ScriptedModel& model_;
  };

  ScriptedModel model;
  std::int64_t tokens_a_day = 100'000;
};

// An answer with these operations: {"op","facts":"[1]","target","text","kind", …}; what is not named is blank.
inline std::string answer_of(const std::vector<std::map<std::string, std::string>>& operations) {
  std::string list;
  for (const auto& named : operations) {
    std::map<std::string, std::string> all = {{"op", "\"ADD\""}, {"facts", "[]"}, {"target", "0"},      {"into", "0"},  {"of", "0"},
                                              {"text", "\"\""},  {"about", "[]"}, {"kind", "\"none\""}, {"why", "\"\""}};
    for (const auto& [name, value] : named)
      all[name] =
          value.starts_with('[') || value.find_first_not_of("0123456789") == std::string::npos ? value : "\"" + value + "\"";
    std::string members;
    for (const auto& [name, value] : all) members += (members.empty() ? "" : ",") + ("\"" + name + "\":") + value;
    list += (list.empty() ? "{" : ",{") + members + "}";
  }
  return R"({"operations":[)" + list + "]}";
}

// Decides by a list of answers, mends by another one; reads with a list of problems, and promotes nothing.
struct Script {
  std::string decided, mended = {}, problems = R"({"problems":[]})";

  Result<std::string> operator()(const ModelRequest& request) const {
    if (request.task == decide_prompt_version) return decided;
    if (request.task == mend_prompt_version) return mended.empty() ? decided : mended;
    if (request.task == verify_prompt_version) return problems;
    return add_everything(request);
  }
};

// What was asked but for the core.
inline std::vector<std::string> tasks_of(const ScriptedModel& model) {
  std::vector<std::string> tasks;
  for (const ModelRequest& request : model.requests())
    if (!request.task.starts_with("promote")) tasks.push_back(request.task);
  return tasks;
}

// Twelve topics of which none is near another, beside too much for one call.
inline void say_a_dozen(const std::function<void(const std::string&)>& say) {
  for (const char* topic :
       {"bees", "canoe", "fridge", "ladder", "museum", "orchard", "piano", "quilt", "rowing", "sauna", "tulips", "violin"})
    say(std::string("Knows much about the ") + topic + ".");
}

}  // namespace loci
