#include "agents/hooks_file.h"

#include <algorithm>

#include "agents/hook_call.h"

namespace loci {
namespace {

using Path = std::vector<std::string>;

constexpr int timeout_seconds = 5;  // far beyond what a hook takes: agents' own are minutes

Json handler_of(const Connection& connection, std::string_view event, Calls calls) {
  const auto words = words_of(connection, {"hook", event});
  Json handler = Json::object();
  handler.add_unchecked("type", "command");
  if (calls == Calls::words) {
    handler.add_unchecked("command", connection.program.string());
    handler.add_unchecked("args", words);
  } else {
    std::string line = quoted_word(connection.program.string());
    for (const std::string& word : words) line += ' ' + quoted_word(word);
    handler.add_unchecked("command", line);
  }
  handler.add_unchecked("timeout", calls == Calls::line_in_milliseconds ? timeout_seconds * 1000 : timeout_seconds);
  return handler;
}

Json group_of(Json handler) {
  Json group = Json::object();
  group.add_unchecked("hooks", Json::Array{std::move(handler)});
  return group;
}

bool is_our_handler(const Json& handler) { return is_hook_of_loci(words_of_handler(handler)); }

bool has_our_handler(const Json& group) { return std::ranges::any_of(group.array_at("hooks"), is_our_handler); }

// A group that holds nothing but calls of loci's hook.
bool is_our_group(const Json& group) {
  const auto& handlers = group.array_at("hooks");
  return !handlers.empty() && std::ranges::all_of(handlers, is_our_handler);
}

// All that have one of ours, in the order of the file.
Json our_groups(const Json& settings) {
  Json groups = Json::object();
  const Json* hooks = settings.find("hooks");
  if (!hooks || !hooks->as_object()) return groups;
  for (const auto& [event, list] : *hooks->as_object())
    if (list.as_array())
      for (const Json& group : *list.as_array())
        if (has_our_handler(group)) groups.set(event, group);
  return groups;
}

std::optional<std::vector<std::string>> words_of_hooks(const std::string& text) {
  const auto settings = parse_settings(text);
  if (!settings) return std::nullopt;
  const Json groups = our_groups(settings->to_json());
  for (const auto& [event, group] : *groups.as_object())
    return words_of_handler(*std::ranges::find_if(group.array_at("hooks"), is_our_handler));
  return std::nullopt;
}

// Of a group that somebody put a handler of their own into, that one stays.
Status take_out_of_others_groups(SettingsEditor& editor, const std::string& event) {
  const auto settings = TRY(parse_settings(editor.text())).to_json();
  const Json* hooks = settings.find("hooks");
  const size_t count = hooks ? hooks->array_at(event).size() : 0;
  for (size_t i = 0; i < count; ++i) {
    const Path handlers{"hooks", event, std::to_string(i), "hooks"};
    TRY(editor.apply([&](std::string_view now) { return remove_elements(now, handlers, is_our_handler); }));
  }
  return {};
}

Result<SettingsEdit> without_hooks(const std::string& text) {
  SettingsEditor editor(text);
  const auto root = TRY(parse_settings(text));
  const Json groups = our_groups(root.to_json());
  for (const auto& [event, group] : *groups.as_object()) {
    const Path list{"hooks", event};
    TRY(editor.apply([&](std::string_view now) { return remove_elements(now, list, is_our_group); }));
    TRY(take_out_of_others_groups(editor, event));
    TRY(remove_if_empty(editor, list));
  }
  if (!groups.as_object()->empty()) TRY(remove_if_empty(editor, {"hooks"}));
  return editor.take();
}

// Which program is called, and how, is ours to say. What somebody has set besides (a time limit, a matcher) stays.
Json with_what_was_set(const Json& group, const Json& present) {
  const Json& ours = group.array_at("hooks").front();
  const Json& there = *std::ranges::find_if(present.array_at("hooks"), is_our_handler);
  const auto is_ours_to_say = [](std::string_view key) { return key == "type" || key == "command" || key == "args"; };
  Json handler = Json::object();
  for (const auto& [key, value] : *there.as_object())
    if (const Json* said = ours.find(key); said && is_ours_to_say(key))
      handler.add_unchecked(key, *said);
    else if (!is_ours_to_say(key))
      handler.add_unchecked(key, value);
  for (const auto& [key, value] : *ours.as_object())
    if (!handler.find(key)) handler.add_unchecked(key, value);
  if (!is_our_group(present)) return group_of(std::move(handler));  // what is set there is set for others too
  Json all = present;
  all.set("hooks", Json::Array{std::move(handler)});
  return all;
}

Result<SettingsEdit> with_hooks(const std::string& text, std::span<const EventOf> events, const Connection& connection,
                                Calls calls) {
  const auto root = TRY(parse_settings(text));
  const Json present = our_groups(root.to_json());
  Json wanted = Json::object();
  for (const EventOf& event : events) {
    const Json group = hook_group(connection, event.ours, calls);
    const Json* there = present.find(event.agents);
    wanted.set(event.agents, there ? with_what_was_set(group, *there) : group);
  }
  if (std::ranges::is_permutation(*present.as_object(), *wanted.as_object())) return SettingsEdit{text, {}, {}};
  SettingsEditor editor(text);
  TRY(editor.apply([](std::string_view now) { return without_hooks(std::string(now)); }));
  for (const auto& [event, group] : *wanted.as_object())
    TRY(editor.apply([&](std::string_view now) { return add_element(now, Path{"hooks", event}, group); }));
  return editor.take();
}

}  // namespace

std::vector<std::string> words_of_handler(const Json& handler) {
  std::vector<std::string> words;
  if (handler.find("args")) {
    words = handler.texts_at("args");
    words.insert(words.begin(), handler.text_at("command"));
    return words;
  }
  return words_of_call(handler.text_at("command"));
}

std::vector<std::string> words_of(const Connection& connection, std::initializer_list<std::string_view> command) {
  std::vector<std::string> words{"--vault", connection.vault.string()};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

Json hook_group(const Connection& connection, std::string_view event, Calls calls) {
  return group_of(handler_of(connection, event, calls));
}

AgentFile hooks_file(const path& file, std::span<const EventOf> events, const Connection& connection, Calls calls) {
  return {.file = file,
          .connect = [=](const std::string& text) { return with_hooks(text, events, connection, calls); },
          .disconnect = without_hooks,
          .words = words_of_hooks};
}

}  // namespace loci
