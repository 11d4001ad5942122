#include "agents/settings_text.h"

#include <algorithm>
#include <charconv>

namespace loci {
namespace {

std::string_view line_end_of(std::string_view text) { return text.contains("\r\n") ? "\r\n" : "\n"; }

// The white space in front of what stands at `at`, if nothing else does.
std::string indentation_before(std::string_view text, size_t at) {
  const size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const std::string_view before = text.substr(line, at - line);
  const size_t own = std::min(before.find_first_not_of(" \t"), before.size());
  return std::string(before.substr(0, own));
}

// How much deeper than its parent a member stands: as the first one that stands on a line of its own.
std::string step_of(std::string_view text, const SettingsNode& root) {
  if (root.members.empty()) return "  ";
  const std::string first = indentation_before(text, root.members.front().begin);
  return first.empty() ? "  " : first;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    if (line.ends_with('\r')) line.pop_back();
    if (line.find_first_not_of(" \t,") != std::string::npos) lines.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// A value as it stands in a file, its lines behind the first indented.
std::string written(const Json& value, const std::string& step, const std::string& indentation, std::string_view line_end) {
  const std::string pretty = to_pretty_string(value);
  std::string out;
  for (size_t at = 0; at < pretty.size(); ++at) {
    out += pretty[at] == '\n' ? std::string(line_end) + indentation : std::string(1, pretty[at]);
    if (pretty[at] != '\n') continue;
    while (pretty.substr(at + 1).starts_with("  ")) {
      out += step;
      at += 2;
    }
  }
  return out;
}

// One place where bytes come in and go out.
struct Splice {
  size_t begin = 0, end = 0;
  std::string text;
};

SettingsEdit spliced(std::string_view text, const Splice& splice) {
  SettingsEdit edit;
  edit.added = lines_of(splice.text);
  edit.removed = lines_of(text.substr(splice.begin, splice.end - splice.begin));
  edit.text = std::string(text.substr(0, splice.begin)) + splice.text + std::string(text.substr(splice.end));
  return edit;
}

// The comma between two members, or behind the last one; comments may have others.
size_t comma_in(std::string_view text, size_t begin, size_t end) {
  for (size_t at = begin; at < end; ++at) {
    if (text[at] == ',') return at;
    if (text.substr(at).starts_with("//")) at = std::min(text.find('\n', at), end);
    if (text.substr(at).starts_with("/*")) at = std::min(text.find("*/", at), end);
  }
  return std::string_view::npos;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n,") == std::string_view::npos; }

std::string_view without_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}  // npos + 1 is 0

// Behind the last member: `key` is empty for an element of a list.
Splice at_the_end(std::string_view text, const SettingsNode& root, const SettingsNode& parent, const std::string& key,
                  const Json& value) {
  const std::string step = step_of(text, root), line_end(line_end_of(text));
  const std::string outer = indentation_before(text, parent.begin);
  const bool is_inline = !parent.members.empty() && !text.substr(parent.begin, parent.end - parent.begin).contains('\n');
  const std::string inner =
      parent.members.empty() || is_inline ? outer + step : indentation_before(text, parent.members.back().begin);
  const std::string member = (key.empty() ? "" : to_string(Json(key)) + ": ") + written(value, step, inner, line_end);
  if (parent.begin == parent.end) {
    // Behind comments, of which the last may have no line end.
    const std::string in_front = text.empty() || text.ends_with('\n') ? std::string() : line_end;
    return {parent.begin, parent.begin, in_front + "{" + line_end + inner + member + line_end + "}" + line_end};
  }
  if (parent.members.empty()) {
    const size_t comments = without_end(text.substr(parent.begin + 1, parent.end - 2 - parent.begin)).size();
    return {parent.begin + 1 + comments, parent.end - 1, line_end + inner + member + line_end + outer};
  }
  const size_t last = parent.members.back().node.end;
  const size_t comma = text.substr(last, parent.end - 1 - last).find_first_not_of(" \t\r\n");
  const bool has_comma = comma != std::string_view::npos && text[last + comma] == ',';
  if (has_comma) return {last + comma + 1, last + comma + 1, line_end + inner + member + ','};
  return {last, last, is_inline ? ", " + member : ',' + line_end + inner + member};
}

// The deepest object or list on the way, and how far the path led.
struct Reached {
  const SettingsNode* node = nullptr;
  size_t steps = 0;
};
const SettingsNode* element(const SettingsNode& list, const std::string& position) {
  size_t index = 0;
  const char* const end = position.data() + position.size();
  const auto read = std::from_chars(position.data(), end, index);
  return read.ec == std::errc() && read.ptr == end && index < list.members.size() ? &list.members[index].node : nullptr;
}

Reached follow(const SettingsNode& root, std::span<const std::string> path) {
  Reached reached{&root, 0};
  while (reached.steps < path.size()) {
    const SettingsNode* next =
        reached.node->is_list ? element(*reached.node, path[reached.steps]) : reached.node->find(path[reached.steps]);
    if (!next) break;
    reached = {next, reached.steps + 1};
  }
  return reached;
}

std::string dotted(std::span<const std::string> path) {
  std::string out;
  for (const std::string& part : path) out += (out.empty() ? "" : ".") + part;
  return out;
}

// `value` below those keys of the path that are missing.
Json nested(std::span<const std::string> missing, Json value) {
  for (size_t i = missing.size(); i > 0; --i) {
    Json object = Json::object();
    object.set(missing[i - 1], std::move(value));
    value = std::move(object);
  }
  return value;
}

Result<SettingsEdit> add(std::string_view text, const SettingsNode& root, const Reached& reached, std::span<const std::string> path,
                         const Json& value) {
  if (!reached.node->is_object) return fail(ErrorCode::refused, "'" + dotted(path.first(reached.steps)) + "' is no object");
  const Json below = nested(path.subspan(reached.steps + 1), value);
  return spliced(text, at_the_end(text, root, *reached.node, path[reached.steps], below));
}

// With the comma that belongs to it. Comments before and behind it are somebody's, and stay.
Splice without(std::string_view text, const SettingsNode& parent, size_t index) {
  const auto& members = parent.members;
  const bool is_last = index + 1 == members.size();
  const size_t front = index > 0 ? members[index - 1].node.end : parent.begin + 1;
  const size_t back = is_last ? parent.end - 1 : members[index + 1].begin;
  std::string before(text.substr(front, members[index].begin - front));
  std::string behind(text.substr(members[index].node.end, back - members[index].node.end));
  const bool is_plain = is_blank(before) && is_blank(behind);
  if (is_plain && index > 0) return {front, members[index].node.end, ""};
  if (is_plain && !is_last) return {members[index].begin, back, ""};
  if (is_plain) return {front, back, ""};
  std::string& with_comma = is_last && index > 0 ? before : behind;
  if (const size_t comma = comma_in(with_comma, 0, with_comma.size()); comma != std::string::npos) with_comma.erase(comma, 1);
  return {front, back, std::string(without_end(before)) + behind};
}

}  // namespace

Result<SettingsEdit> add_member(std::string_view text, std::span<const std::string> path, const Json& value) {
  const auto root = TRY(parse_settings(text));
  const Reached reached = follow(root, path);
  if (reached.steps == path.size()) return fail(ErrorCode::refused, "'" + dotted(path) + "' is there already");
  return add(text, root, reached, path, value);
}

Result<SettingsEdit> add_element(std::string_view text, std::span<const std::string> path, const Json& value) {
  const auto root = TRY(parse_settings(text));
  const Reached reached = follow(root, path);
  if (reached.steps < path.size()) return add(text, root, reached, path, Json(Json::Array{value}));
  if (!reached.node->is_list) return fail(ErrorCode::refused, "'" + dotted(path) + "' is no list");
  return spliced(text, at_the_end(text, root, *reached.node, {}, value));
}

Result<SettingsEdit> remove_member(std::string_view text, std::span<const std::string> path) {
  const auto root = TRY(parse_settings(text));
  const Reached parent = follow(root, path.first(path.size() - 1));
  if (parent.steps + 1 == path.size())
    for (size_t i = 0; i < parent.node->members.size(); ++i)
      if (parent.node->is_object && parent.node->members[i].key == path.back())
        return spliced(text, without(text, *parent.node, i));
  return SettingsEdit{std::string(text), {}, {}};
}

Result<SettingsEdit> remove_elements(std::string_view text, std::span<const std::string> path,
                                     const std::function<bool(const Json&)>& meant) {
  SettingsEditor editor{std::string(text)};
  for (bool found = true; found;) {
    const auto root = TRY(parse_settings(editor.text()));
    const Reached list = follow(root, path);
    found = false;
    if (list.steps < path.size() || !list.node->is_list) break;
    const auto& members = list.node->members;
    const auto first = std::ranges::find_if(members, [&](const auto& member) { return meant(member.node.to_json()); });
    if (first == members.end()) break;
    found = true;
    const Splice splice = without(editor.text(), *list.node, static_cast<size_t>(first - members.begin()));
    TRY(editor.apply([&](std::string_view now) -> Result<SettingsEdit> { return spliced(now, splice); }));
  }
  return editor.take();
}

Status SettingsEditor::apply(const std::function<Result<SettingsEdit>(std::string_view)>& step) {
  auto done = TRY(step(edit_.text));
  edit_.text = std::move(done.text);
  edit_.added.insert(edit_.added.end(), done.added.begin(), done.added.end());
  edit_.removed.insert(edit_.removed.end(), done.removed.begin(), done.removed.end());
  return {};
}

SettingsEdit SettingsEditor::take() {
  std::erase_if(edit_.removed, [&](const std::string& line) { return !before_.contains(line); });
  std::erase_if(edit_.added, [&](const std::string& line) { return !edit_.text.contains(line); });
  return std::move(edit_);
}

Status remove_if_empty(SettingsEditor& editor, const std::vector<std::string>& where) {
  const auto root = TRY(parse_settings(editor.text()));
  const SettingsNode* node = &root;
  for (const std::string& key : where) node = node ? node->find(key) : nullptr;
  if (!node || !node->members.empty() || (!node->is_list && !node->is_object)) return {};
  const auto inside = std::string_view(editor.text()).substr(node->begin + 1, node->end - node->begin - 2);
  if (inside.find_first_not_of(" \t\r\n") != std::string_view::npos) return {};  // a comment
  return editor.apply([&](std::string_view text) { return remove_member(text, where); });
}

}  // namespace loci
