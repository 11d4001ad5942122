#include "agents/hook_call.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "agents/hook_input.h"

namespace loci {
namespace {

// By its name, also of one that is gone; by another name if it is the program that asks.
bool runs_loci(const std::filesystem::path& program) {
  std::error_code error;
  return program.filename() == "loci" || (program.is_absolute() && std::filesystem::equivalent(program, "/proc/self/exe", error));
}

}  // namespace

std::string quoted_word(const std::string& word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::string_view("/._-+=:@,").contains(c);
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::vector<std::string> words_of_call(std::string_view line) {
  std::vector<std::string> words;
  bool in_quotes = false, in_word = false;
  const auto begin_word = [&] {
    if (!std::exchange(in_word, true)) words.emplace_back();
  };
  for (size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '\'') {
      begin_word();
      in_quotes = !in_quotes;
    } else if (c == '\\' && !in_quotes && at + 1 < line.size()) {
      begin_word();
      words.back() += line[++at];
    } else if (c == ' ' && !in_quotes) {
      in_word = false;
    } else {
      begin_word();
      words.back() += c;
    }
  }
  return words;
}

bool is_hook_of_loci(const std::vector<std::string>& words) {
  const bool has_vault = words.size() == 5 && words[1] == "--vault";
  return (has_vault || words.size() == 3) && runs_loci(words[0]) && words[words.size() - 2] == "hook" &&
         hook_event_named(words.back()).has_value();
}

bool is_server_of_loci(const std::vector<std::string>& words) { return !words.empty() && runs_loci(words[0]); }

bool is_server_of_connect(const std::vector<std::string>& words) {
  return words.size() == 4 && words[1] == "--vault" && words[3] == "mcp" && is_server_of_loci(words);
}

std::string vault_in_words(const std::vector<std::string>& words) {
  const auto option = std::ranges::find(words, "--vault");
  return option == words.end() || option + 1 == words.end() ? std::string() : *(option + 1);
}

}  // namespace loci
