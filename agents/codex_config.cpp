#include "agents/codex_config.h"

#include <algorithm>
#include <map>
#include <span>

#include "agents/hook_call.h"
#include "vault/layout/toml.h"

namespace loci {
namespace {

const std::vector<std::string> table{"mcp_servers", "loci"};

bool is_below_table(const std::vector<std::string>& key) {
  return key.size() >= table.size() && std::equal(table.begin(), table.end(), key.begin());
}

bool is_ours(const TomlValue& value) { return is_below_table(value.key); }

std::string line_of(std::span<const std::string> key, std::string_view value) {
  return key_to_toml(key) + " = " + std::string(value) + "\n";
}

// What somebody has put into our tables besides, as it stands there.
struct Others {
  std::string server, environment;
};
Others others_in_ours(const std::string& text, const TomlFile& file, const CodexServer& server) {
  Others found;
  for (const TomlValue& value : file.values) {
    if (!is_ours(value) || value.key.size() == table.size()) continue;
    const auto below = std::span(value.key).subspan(table.size());
    const std::string_view as_written = std::string_view(text).substr(value.begin, value.end - value.begin);
    if (below.front() == "env" && below.size() == 2 && !server.environment.find(below[1]))
      found.environment += line_of(below.subspan(1), as_written);
    else if (below.front() != "command" && below.front() != "args" && below.front() != "env")
      found.server += line_of(below, as_written);
  }
  return found;
}

std::string block_of(const CodexServer& server, const Others& others) {
  std::string environment;
  if (server.environment.as_object())
    for (const auto& [name, value] : *server.environment.as_object())
      environment += line_of(std::span(&name, 1), to_toml(*value.as_string()));
  environment += others.environment;
  const std::string block =
      "[mcp_servers.loci]\ncommand = " + to_toml(server.command) + "\nargs = " + to_toml(server.args) + "\n" + others.server;
  return environment.empty() ? block : block + "\n[mcp_servers.loci.env]\n" + environment;
}

std::map<std::vector<std::string>, TomlScalar> others(const TomlFile& file) {
  std::map<std::vector<std::string>, TomlScalar> values;
  for (const TomlValue& value : file.values)
    if (!is_ours(value)) values[value.key] = value.value;
  return values;
}

// The values that are ours, whatever way they are written.
std::vector<TomlScalar> ours(const TomlFile& file) {
  std::vector<TomlScalar> values;
  for (const TomlValue& value : file.values)
    if (is_ours(value)) values.push_back(value.value);
  return values;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Comments right in front of a header belong to it.
size_t begin_with_comments(const std::string& text, size_t header) {
  size_t begin = header;
  for (size_t at = header; at > 0;) {
    const size_t line = at < 2 ? 0 : text.rfind('\n', at - 2) + 1;  // npos + 1 is 0
    const size_t first = text.find_first_not_of(" \t\r", line);
    if (text[first] != '#' && text[first] != '\n') break;
    if (text[first] == '#') begin = line;
    at = line;
  }
  return begin;
}

// Behind the last line of ours; what stands below it up to the end of the file is somebody's.
size_t end_of_our_values(const std::string& text, const TomlFile& file, size_t header) {
  size_t last = header;
  for (const TomlTable& one : file.tables)
    if (is_below_table(one.key)) last = std::max(last, one.begin);
  for (const TomlValue& value : file.values)
    if (is_ours(value)) last = std::max(last, value.end);
  const size_t end = std::min(text.find('\n', last), text.size());
  const size_t rest = text.find_first_not_of(" \t\r\n", end);
  return rest == std::string::npos ? text.size() : std::min(end + 1, text.size());
}

// From the header of one of our tables to the next header that is not ours; the blank lines in front go too.
struct Range {
  size_t begin = 0, end = 0;
};
std::optional<Range> our_range(const std::string& text, const TomlFile& file) {
  std::vector<std::pair<size_t, bool>> headers;  // where, and whether it is ours
  for (const TomlTable& one : file.tables)
    if (text.substr(one.begin).starts_with('[')) headers.emplace_back(one.begin, is_below_table(one.key));
  std::ranges::sort(headers);
  const auto first = std::ranges::find_if(headers, [](const auto& header) { return header.second; });
  if (first == headers.end()) return std::nullopt;
  const auto next = std::find_if(first, headers.end(), [](const auto& header) { return !header.second; });
  Range range{first->first,
              next == headers.end() ? end_of_our_values(text, file, first->first) : begin_with_comments(text, next->first)};
  const size_t before = text.find_last_not_of("\r\n", range.begin == 0 ? 0 : range.begin - 1);
  if (next == headers.end() && range.begin > 0) range.begin = before == std::string::npos ? 0 : text.find('\n', before) + 1;
  return range;
}

// Everybody else's values are what they were, and ours are these.
Status check(const std::string& text, const TomlFile& before, const std::vector<TomlScalar>& wanted) {
  const auto after = parse_toml(text);
  if (after && others(*after) == others(before) && ours(*after) == wanted) return {};
  return fail(ErrorCode::refused, "it is written in a way that [mcp_servers.loci] cannot be changed in by rule",
              "edit the file by hand; nothing was written");
}

std::vector<std::string> words_of_server(const TomlFile& file) {
  const TomlValue* args = file.find("mcp_servers.loci.args");
  const TomlValue* command = file.find("mcp_servers.loci.command");
  const auto* more = args ? std::get_if<std::vector<std::string>>(&args->value) : nullptr;
  const auto* program = command ? std::get_if<std::string>(&command->value) : nullptr;
  std::vector<std::string> words{program ? *program : std::string()};
  if (more) words.insert(words.end(), more->begin(), more->end());
  return words;
}

Result<SettingsEdit> without_ours(const std::string& text, const TomlFile& file) {
  if (std::ranges::none_of(file.values, is_ours)) return SettingsEdit{text, {}, {}};
  const auto range = our_range(text, file);
  SettingsEdit edit{text, {}, {}};
  if (range) {
    edit.removed = lines_of(text.substr(range->begin, range->end - range->begin));
    edit.text.erase(range->begin, range->end - range->begin);
  }
  TRY(check(edit.text, file, {}));
  return edit;
}

}  // namespace

std::optional<std::vector<std::string>> codex_server_words(const std::string& text) {
  const auto file = parse_toml(text);
  if (!file) return std::nullopt;
  if (std::ranges::none_of(file->values, is_ours)) return std::nullopt;
  return words_of_server(*file);
}

Result<SettingsEdit> without_codex_server(const std::string& text) {
  const auto file = TRY(parse_toml(text));
  return is_server_of_connect(words_of_server(file)) ? without_ours(text, file) : SettingsEdit{text, {}, {}};
}

Result<SettingsEdit> with_codex_server(const std::string& text, const CodexServer& server) {
  const auto file = TRY(parse_toml(text));
  if (std::ranges::any_of(file.values, is_ours) && !is_server_of_loci(words_of_server(file)))
    return fail(ErrorCode::refused, "[mcp_servers.loci] is a server that is no memory of loci's",
                "give it another name there, and connect again; nothing was written");
  const std::string block = block_of(server, others_in_ours(text, file, server));
  const auto wanted = ours(TRY(parse_toml(block)));
  if (ours(file) == wanted) return SettingsEdit{text, {}, {}};
  auto edit = TRY(without_ours(text, file));
  std::string& now = edit.text;
  if (!now.empty() && !now.ends_with('\n')) now += '\n';
  if (!now.empty()) now += '\n';
  now += block;
  edit.added = lines_of(block);
  TRY(check(now, file, wanted));
  return edit;
}

}  // namespace loci
