// loci's hooks in an agent's settings: the shape is Claude Code's, and others' after it. Pure.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/connect.h"

namespace loci {

struct EventOf {
  std::string_view agents, ours;
};

// How an agent's hook calls a program: with words of its own, or as one line of the shell.
enum class Calls : std::uint8_t { words, line, line_in_milliseconds };

// "--vault DIR", and then these.
std::vector<std::string> words_of(const Connection& connection, std::initializer_list<std::string_view> command);

// The words of a handler's command, those of a line of the shell unquoted.
std::vector<std::string> words_of_handler(const Json& handler);

// What stands in a list of an event's groups: {"hooks": [{"type": "command", …}]}.
Json hook_group(const Connection& connection, std::string_view event, Calls calls);

// A group for each event. Which program is called, and how, is ours to say; what somebody has set besides (a time limit, a matcher)
// stays, and so does every group and handler of others.
AgentFile hooks_file(const path& file, std::span<const EventOf> events, const Connection& connection, Calls calls);

}  // namespace loci
