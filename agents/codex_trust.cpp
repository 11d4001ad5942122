#include "agents/codex_trust.h"

#include "agents/hook_call.h"
#include "base/child_process.h"
#include "base/json.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds patience{10'000};
constexpr std::int64_t our_question = 2;

// One question of its protocol: JSON-RPC by lines, without the version.
std::string questions(const path& working_folder) {
  Json client = Json::object(), begin = Json::object(), initialize = Json::object(), begun = Json::object(), list = Json::object(),
       where = Json::object();
  client.add_unchecked("name", "loci");
  client.add_unchecked("version", "1");
  begin.add_unchecked("clientInfo", std::move(client));
  initialize.add_unchecked("id", 1);
  initialize.add_unchecked("method", "initialize");
  initialize.add_unchecked("params", std::move(begin));
  begun.add_unchecked("method", "initialized");
  where.add_unchecked("cwds", Json::Array{Json(working_folder.string())});
  list.add_unchecked("id", our_question);
  list.add_unchecked("method", "hooks/list");
  list.add_unchecked("params", std::move(where));
  return to_string(initialize) + '\n' + to_string(begun) + '\n' + to_string(list) + '\n';
}

// "userPromptSubmit" is what hooks.json calls UserPromptSubmit.
std::string event_name(std::string name) {
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

bool waits_for_trust(const Json& hook) {
  const std::string status = hook.text_at("trustStatus");
  return (status == "untrusted" || status == "modified") && is_hook_of_loci(words_of_call(hook.text_at("command")));
}

}  // namespace

Result<std::vector<std::string>> hooks_without_trust_in(std::string_view answers) {
  while (!answers.empty()) {
    const size_t end = std::min(answers.find('\n'), answers.size());
    const auto line = parse_json(answers.substr(0, end));
    answers.remove_prefix(std::min(end + 1, answers.size()));
    if (!line || line->integer_at("id") != our_question || !line->find("result")) continue;
    std::vector<std::string> events;
    for (const Json& folder : line->find("result")->array_at("data"))
      for (const Json& hook : folder.array_at("hooks"))
        if (waits_for_trust(hook)) events.push_back(event_name(hook.text_at("eventName")));
    return events;
  }
  return fail(ErrorCode::failed, "Codex does not say which hooks it trusts");
}

Result<std::vector<std::string>> codex_hooks_without_trust(const path& working_folder) {
  const auto answer = TRY(ask_program({.words = {"codex", "app-server"},
                                       .environment = own_environment(),
                                       .input = questions(working_folder),
                                       .input_until = "{\"id\":" + std::to_string(our_question) + ",",
                                       .time_limit = patience}));
  return hooks_without_trust_in(answer.output);
}

}  // namespace loci
