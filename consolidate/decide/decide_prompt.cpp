#include "consolidate/decide/decide_prompt.h"

#include <algorithm>
#include <map>

#include "consolidate/decide/prompts.h"
#include "consolidate/decide/request_parts.h"
#include "consolidate/decide/topic_keys.h"
#include "model/fence.h"
#include "model/json_answer.h"

namespace loci {
namespace {

Json decide_schema() {
  const Json number = typed("integer"), text = typed("string");
  return object_schema({{"operations", list_of(object_schema({{"op", one_of({"ADD", "REPLACE", "REMOVE", "DUPLICATE", "IGNORE"})},
                                                              {"facts", list_of(number)},
                                                              {"target", number},
                                                              {"into", number},
                                                              {"of", number},
                                                              {"text", text},
                                                              {"about", list_of(text)},
                                                              {"kind", one_of({"none", "change", "correction"})},
                                                              {"why", text},
                                                              {"against", number}}))}});
}

Json keys_schema() {
  return object_schema({{"facts", list_of(object_schema({{"n", typed("integer")}, {"about", list_of(typed("string"))}}))}});
}

// One line; whatever stands in the text, it stays in its string.
std::string record(size_t number, std::string_view text, std::string_view rest) {
  return "{\"n\":" + std::to_string(number) + ",\"text\":" + fenced(text) + std::string(rest) + "}\n";
}

std::string details(Source source, std::string_view date, const std::vector<std::string>& about) {
  std::string keys;
  for (const std::string& key : about) keys.append(keys.empty() ? "" : ",").append(fenced(key));
  return said_when(source, date) + ",\"about\":[" + keys + "]";
}

std::string entry_lines(const Material& material, const std::vector<size_t>& entries, size_t first_number) {
  std::string lines;
  for (size_t i = 0; i < entries.size(); ++i) {
    const DurableEntry& entry = material.entries[entries[i]];
    if (!entry.is_private) lines += record(first_number + i, entry.text, details(entry.source, day_of(entry), entry.about));
  }
  return lines;
}

}  // namespace

ModelRequest decide_request(const Material& material, const Cluster& cluster, std::string_view today) {
  std::string facts;
  for (size_t i = 0; i < cluster.facts.size(); ++i) {
    const Fact& fact = material.facts[cluster.facts[i]];
    if (!fact.is_private) facts += record(i + 1, fact.text, details(fact.source, fact.day, fact.about));
  }
  const size_t first_writable = cluster.facts.size() + 1, first_shown = first_writable + cluster.writable.size();
  ModelRequest request;
  request.task = decide_prompt_version;
  request.instructions = prompt_named("decide-3.md");
  request.input = (today.empty() ? "" : "Today is " + std::string(today) + ".\n") + fence("facts", facts) +
                  fence("entries", entry_lines(material, cluster.writable, first_writable)) +
                  fence("read_only", entry_lines(material, cluster.shown, first_shown));
  request.schema = decide_schema();
  return request;
}

ModelRequest mend_request(const Material& material, const Cluster& cluster, const std::vector<RefusedOperation>& refused,
                          std::string_view today) {
  const auto number_of = [](const std::vector<size_t>& list, size_t index, size_t first) -> std::int64_t {
    const auto found = std::ranges::find(list, index);
    return found == list.end() ? 0 : static_cast<std::int64_t>(first + static_cast<size_t>(found - list.begin()));
  };
  const auto fact = [&](size_t index) { return number_of(cluster.facts, index, 1); };
  const auto entry = [&](std::optional<size_t> index) -> std::int64_t {
    if (!index) return 0;
    const size_t first = cluster.facts.size() + 1;
    const std::int64_t writable = number_of(cluster.writable, *index, first);
    return writable > 0 ? writable : number_of(cluster.shown, *index, first + cluster.writable.size());
  };
  std::string lines;
  for (const RefusedOperation& one : refused) {
    std::string facts, reasons;
    for (const size_t index : one.operation.facts) facts.append(facts.empty() ? "" : ",").append(std::to_string(fact(index)));
    for (const std::string& reason : one.why) reasons.append(reasons.empty() ? "" : ",").append(fenced(reason));
    const std::int64_t of = one.operation.same_as_fact ? fact(*one.operation.same_as_fact) : entry(one.operation.same_as_entry);
    lines += "{\"refused\":" + fenced(name_of(one.operation.kind)) + ",\"facts\":[" + facts +
             "],\"target\":" + std::to_string(entry(one.operation.target)) +
             ",\"into\":" + std::to_string(entry(one.operation.into)) + ",\"of\":" + std::to_string(of) +
             ",\"text\":" + fenced(one.operation.text) + ",\"reasons\":[" + reasons + "]}\n";
  }
  ModelRequest request = decide_request(material, cluster, today);
  request.task = mend_prompt_version;
  request.instructions += prompt_named("mend-2.md");
  request.input += fence("refused", lines);
  return request;
}

namespace {

// The most used first: one thing has one key.
std::string existing_keys(const Material& material) {
  constexpr size_t most_keys = 200;
  std::map<std::string, int> counts;
  for (const DurableEntry& entry : material.entries)
    for (const std::string& key : entry.about) counts[key] += entry.is_private ? 0 : 1;
  for (const Fact& fact : material.facts)
    for (const std::string& key : fact.about) counts[key] += fact.is_private ? 0 : 1;
  std::vector<std::pair<int, std::string>> keys;
  for (const auto& [key, count] : counts)
    if (count > 0) keys.emplace_back(-count, key);
  std::ranges::sort(keys);
  if (keys.size() > most_keys) keys.resize(most_keys);
  std::string lines;
  for (const auto& [count, key] : keys) lines += fenced(key) + '\n';
  return lines;
}

}  // namespace

ModelRequest keys_request(const Material& material, const std::vector<size_t>& facts) {
  std::string lines;
  for (size_t i = 0; i < facts.size(); ++i)
    if (const Fact& fact = material.facts[facts[i]]; !fact.is_private) lines += record(i + 1, fact.text, "");
  ModelRequest request;
  request.task = keys_prompt_version;
  request.instructions = prompt_named("keys-2.md");
  request.input = fence("keys", existing_keys(material)) + fence("facts", lines);
  request.schema = keys_schema();
  return request;
}

Result<std::vector<std::vector<std::string>>> parse_keys(std::string_view answer, size_t facts) {
  constexpr std::string_view names[] = {"facts"};
  const auto refuse = [](const char* what) { return fail(ErrorCode::refused, std::string("the model's answer ") + what); };
  const auto json = TRY(find_json_answer(answer, names));
  const Json::Array* list = json.find(names[0])->as_array();
  if (!list || json.as_object()->size() != 1) return refuse("is no list of facts");
  std::vector<std::vector<std::string>> keys(facts);
  std::vector<bool> is_named(facts, false);
  for (const Json& one : *list) {
    const Json *number = one.find("n"), *about = one.find("about");
    if (!number || !number->as_integer() || !about || one.as_object()->size() != 2) return refuse("has a fact of another shape");
    const std::int64_t n = *number->as_integer();
    if (n < 1 || static_cast<std::uint64_t>(n) > facts) return refuse("names a fact that there is not");
    const auto place = static_cast<size_t>(n) - 1;
    if (is_named[place]) return refuse("names a fact twice");
    is_named[place] = true;
    auto some = TRY(topic_keys(*about));
    keys[place] = std::move(some);
  }
  return keys;
}

}  // namespace loci
