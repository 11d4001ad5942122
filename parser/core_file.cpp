#include "parser/core_file.h"

#include <algorithm>
#include <ranges>

#include "base/unicode.h"
#include "parser/conflict_lines.h"
#include "parser/metadata.h"
#include "parser/parser.h"
#include "parser/prompt_text.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

constexpr const char* mend_markers =
    "write the two lines '<!-- loci:core begin -->' and '<!-- loci:core end -->' once each, in this order";

struct Marker {
  size_t begin = 0, end = 0;  // of the line, in bytes
  int line = 0;
};

bool is_fence(std::string_view line) { return line.starts_with("```") || line.starts_with("~~~"); }

std::vector<Marker> find_markers(std::string_view file, std::string_view marker) {
  std::vector<Marker> found;
  bool in_code = false;
  int number = 1;
  for (size_t begin = 0; begin < file.size(); begin = next_line(file, begin), ++number) {
    const std::string_view line = file.substr(begin, next_line(file, begin) - begin);
    if (is_fence(line)) in_code = !in_code;
    if (!in_code && line.starts_with(marker) && is_blank_line(line.substr(marker.size())))
      found.push_back({begin, begin + line.size(), number});
  }
  return found;
}

std::string lines_of(const std::vector<Marker>& markers) {
  std::string text;
  for (const Marker& marker : markers) text += (text.empty() ? "" : ", ") + std::to_string(marker.line);
  return text;
}

std::unexpected<Error> refuse(std::string what, int line) {
  auto refused = fail(ErrorCode::refused, "MEMORY.md: " + std::move(what), mend_markers);
  refused.error().file = core_file_name;
  refused.error().line = line;
  return refused;
}

struct Markers {
  Marker begin, end;
};

Result<Markers> markers_of(std::string_view file) {
  const auto begins = find_markers(file, core_begin_marker), ends = find_markers(file, core_end_marker);
  if (begins.empty() && ends.empty()) return refuse("the markers of the core are missing", 0);
  if (begins.empty())
    return refuse("the core's begin marker is missing; its end marker stands in line " + lines_of(ends), ends[0].line);
  if (ends.empty())
    return refuse("the core's end marker is missing; its begin marker stands in line " + lines_of(begins), begins[0].line);
  if (begins.size() > 1) return refuse("the core's begin marker stands in lines " + lines_of(begins), begins[1].line);
  if (ends.size() > 1) return refuse("the core's end marker stands in lines " + lines_of(ends), ends[1].line);
  if (begins[0].line > ends[0].line)
    return refuse(
        "the core's end marker stands in line " + lines_of(ends) + ", before its begin marker in line " + lines_of(begins),
        ends[0].line);
  return Markers{begins[0], ends[0]};
}

std::string ref_of(const ParsedEntry& entry) { return entry.metadata ? entry.metadata->ref : std::string(); }

bool is_between(const Markers& markers, const ParsedEntry& entry) {
  return entry.begin >= markers.begin.end && entry.begin < markers.end.begin;
}

}  // namespace

Result<CoreSection> read_core(std::string_view file) {
  const auto markers = TRY(markers_of(file));
  CoreSection core{.begin_line = markers.begin.line, .end_line = markers.end.line, .lines = {}};
  for (const ParsedEntry& entry : parse(file).entries)
    if (is_between(markers, entry))
      core.lines.push_back({ref_of(entry), lines_between(file, entry.line, entry.line_end), entry.line});
  return core;
}

std::vector<int> lines_outside_core(std::string_view file) {
  std::vector<int> lines;
  const auto markers = markers_of(file);
  if (!markers) return lines;
  for (const ParsedEntry& entry : parse(file).entries)
    if (!ref_of(entry).empty() && !is_between(*markers, entry)) lines.push_back(entry.line);
  return lines;
}

namespace {

Result<std::string> without_lines(std::string_view file, const std::vector<std::string>& refs, const std::set<int>& held) {
  const auto markers = TRY(markers_of(file));
  std::string out;
  size_t position = 0;
  for (const ParsedEntry& entry : parse(file).entries) {
    const std::string ref = ref_of(entry);
    if (!is_between(markers, entry) || held.contains(entry.line) || ref.empty() || std::ranges::find(refs, ref) == refs.end())
      continue;
    out.append(file.substr(position, entry.begin - position));
    position = std::min(entry.end, markers.end.begin);
  }
  return out.append(file.substr(position));
}

}  // namespace

Result<std::string> remove_core_lines(std::string_view file, const std::vector<std::string>& refs) {
  return without_lines(file, refs, lines_in_conflict(file));
}

Result<std::string> remove_core_lines_of_all_sides(std::string_view file, const std::vector<std::string>& refs) {
  return without_lines(file, refs, {});
}

std::string release_core_lines(std::string_view file, const std::vector<int>& lines) {
  std::string out(file);
  const std::set<int> held = lines_in_conflict(file);
  for (const int line : lines | std::views::reverse) {
    if (held.contains(line)) continue;
    const size_t begin = line_begin(out, line - 1), end = line_begin(out, line);  // the comment stands in the line above
    if (std::string_view(out).substr(begin).starts_with("<!--m ")) out.erase(begin, end - begin);
  }
  return out;
}

namespace {

std::string core_line_markdown(const NewCoreLine& line) {
  Metadata metadata;
  metadata.ref = line.ref;
  return format_metadata(metadata) + "\n- " + line.text + "\n";
}

bool reads_back(const ParsedEntry& entry, const NewCoreLine& line) {
  return ref_of(entry) == line.ref && entry.hash == stored_text_hash(line.text) && entry.line == entry.line_end;
}

}  // namespace

bool can_be_core_line(const NewCoreLine& line) {
  if (line.text.empty() || line.text.find_first_of("\r\n") != std::string::npos) return false;
  const ParsedFile parsed = parse(core_line_markdown(line));
  return parsed.problems.empty() && parsed.entries.size() == 1 && parsed.open_end == OpenEnd::none &&
         reads_back(parsed.entries.front(), line);
}

std::string as_core_line(std::string_view text) {
  text.remove_prefix(list_marker(text).size());
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!is_space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

Result<std::string> edit_core_lines(std::string_view file, const std::vector<CoreLineEdit>& edits) {
  const auto markers = TRY(markers_of(file));
  const std::set<int> held = lines_in_conflict(file);
  std::string out;
  size_t position = 0;
  for (const ParsedEntry& entry : parse(file).entries) {
    const std::string ref = ref_of(entry);
    if (!is_between(markers, entry) || held.contains(entry.line) || ref.empty()) continue;
    const std::string text = lines_between(file, entry.line, entry.line_end);
    const auto edit = std::ranges::find_if(edits, [&](const CoreLineEdit& one) { return one.ref == ref && one.text == text; });
    if (edit == edits.end()) continue;
    out.append(file.substr(position, entry.begin - position));
    if (edit->now) out += with_line_ends(core_line_markdown(*edit->now), line_end_of(file));
    position = std::min(entry.end, markers.end.begin);
  }
  out.append(file.substr(position));
  const auto core = TRY(read_core(out));
  const ParsedFile parsed = parse(out);
  for (const CoreLineEdit& edit : edits) {
    const auto stands = [&](const ParsedEntry& entry) { return reads_back(entry, *edit.now); };
    if (edit.now && !std::ranges::any_of(parsed.entries, stands))
      return refuse("a promoted line would not read back as it is", markers.begin.line);
  }
  return out;
}

Result<std::string> replace_core_lines(std::string_view file, const std::vector<std::string>& refs,
                                       const std::vector<NewCoreLine>& lines) {
  auto out = TRY(remove_core_lines(file, refs));
  const auto markers = TRY(markers_of(out));
  std::string block;
  for (const NewCoreLine& line : lines) block += core_line_markdown(line);
  out.insert(markers.end.begin, with_line_ends(block, line_end_of(file)));

  const auto core = read_core(out);
  const ParsedFile parsed = parse(out);
  const std::set<int> held = lines_in_conflict(out);
  const auto stands = [&](const NewCoreLine& line) {
    return can_be_core_line(line) && std::ranges::any_of(parsed.entries, [&](const ParsedEntry& entry) {
             return reads_back(entry, line) && !held.contains(entry.line);
           });
  };
  const auto found = static_cast<size_t>(std::ranges::count_if(lines, stands));
  if (!core || found != lines.size()) return refuse("the promoted lines would not read back as they are", markers.begin.line);
  return out;
}

CoreInjection core_injection(std::string_view file) {
  std::string text;
  if (const auto markers = markers_of(file)) {
    text = prompt_text(std::string(file.substr(0, markers->begin.begin)).append(file.substr(markers->end.end)));
    const std::string core = prompt_text(file.substr(markers->begin.end, markers->end.begin - markers->begin.end));
    if (!text.empty() && !core.empty()) text += "\n\n";
    text += core;
  } else {
    text = prompt_text(file);
  }
  CutText cut = cut_at_lines(text, core_injection_limit);
  return {.text = cut.text, .characters = count_code_points(cut.text), .lost = std::move(cut.lost)};
}

}  // namespace loci
