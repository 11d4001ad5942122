#include "parser/writer.h"

#include <algorithm>
#include <cstdint>

#include "base/unicode.h"
#include "parser/blocks.h"
#include "parser/escape.h"
#include "parser/lines.h"
#include "parser/parser.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

enum class Fences : std::uint8_t { kept, escaped };

// The text with a `\` wherever a line would otherwise be structure of the file. See escape.h.
std::string escaped(const std::string& text, Fences fences) {
  const Lines lines(text);
  const Outline outline = outline_of(lines);
  std::string out;
  size_t next_block = 0;
  bool in_fence = false;
  for (size_t i = 0; i < lines.count(); ++i) {
    for (; next_block < outline.blocks.size() && outline.blocks[next_block].line <= i; ++next_block)
      in_fence = fences == Fences::kept && outline.blocks[next_block].type == BlockType::fenced_code;
    const std::string_view line = lines[i];
    const LineStart start = examine_line_start(line);
    const bool harmful = start.danger == Danger::markup || (start.danger == Danger::fence && fences == Fences::escaped);
    const bool reader_would_strip = start.danger != Danger::none && start.backslashes > 0;
    if (i > 0) out += '\n';
    if (!in_fence && (harmful || reader_would_strip)) {
      out.append(line.substr(0, start.indent)).append("\\").append(line.substr(start.indent));
    } else {
      out += line;
    }
  }
  return out;
}

// Would a metadata comment with nothing else take all of it?
bool is_one_block(const std::string& body) {
  const Lines lines(body);
  const Outline outline = outline_of(lines);
  if (outline.blocks.size() != 1 || outline.open != OpenBlock::none) return false;
  const BlockType type = outline.blocks.front().type;
  return type != BlockType::heading && type != BlockType::rule;
}

std::string framed(Metadata& metadata, const std::string& body) {
  metadata.end = !is_one_block(body);
  std::string out = format_metadata(metadata) + "\n" + body + "\n";
  // The blank line ends an HTML block that would swallow the marker.
  if (metadata.end) out += "\n<!--/m-->\n";
  return out;
}

// Does the entry, with another one behind it, read as it is meant?
bool reads_back(const std::string& entry, const Metadata& metadata, const std::string& text) {
  const ParsedFile file = parse(entry + "\n<!--m {}-->\nz\n");
  const auto is_harmless = [](const ParseProblem& problem) { return problem.code == "too-deep"; };
  return file.entries.size() == 2 && file.entries[0].metadata == metadata && file.entries[0].text == text &&
         file.entries[0].begin == 0 && file.entries[0].end == entry.size() && file.entries[1].text == "z" && !file.held &&
         file.open_end == OpenEnd::none && std::ranges::all_of(file.problems, is_harmless);
}

Status check(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return fail(ErrorCode::refused, "the text holds a NUL byte");
  if (const size_t bad = find_invalid_utf8(text); bad != text.size())
    return fail(ErrorCode::refused, "the text is not UTF-8 at byte " + std::to_string(bad));
  return {};
}

Status check_not_empty(const std::string& normal) {
  return normal.empty() ? fail(ErrorCode::refused, "the text is empty") : Status();
}

}  // namespace

std::string normalise_text(std::string_view text) {
  const Lines lines(text);
  size_t first = 0;
  size_t end = lines.count();
  while (first < end && is_blank(lines[first])) ++first;
  while (first < end && is_blank(lines[end - 1])) --end;
  std::string out;
  out.reserve(text.size());
  for (size_t line = first; line < end; ++line) {
    if (line > first) out += '\n';
    out += lines[line];
  }
  return out;
}

Status check_writable(std::string_view text) {
  TRY(check(text));
  return check_not_empty(normalise_text(text));
}

Result<std::string> write_entry(Metadata metadata, std::string_view text) {
  TRY(check(text));
  const std::string normal = normalise_text(text);
  TRY(check_not_empty(normal));
  metadata.sum = sum_from_hash(text_hash(normal));
  for (const Fences fences : {Fences::kept, Fences::escaped}) {
    std::string entry = framed(metadata, escaped(normal, fences));
    if (reads_back(entry, metadata, normal)) return entry;
  }
  return fail(ErrorCode::refused, "the entry would not read back as it is written",
              "a value of its metadata that is not UTF-8, or an id that is none, does that");
}

}  // namespace loci
