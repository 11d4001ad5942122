#include "parse_target.h"

#include <algorithm>

#include "base/unicode.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "parser/writer.h"

namespace loci {
namespace {

size_t lines_before(std::string_view bytes, size_t offset) {
  size_t lines = 0;
  for (size_t i = 0; i < offset; ++i)
    if (bytes[i] == '\n' || (bytes[i] == '\r' && (i + 1 == bytes.size() || bytes[i + 1] != '\n'))) ++lines;
  return lines;
}

std::string check_place(std::string_view bytes, const ParsedEntry& entry, size_t previous_end) {
  if (entry.begin < previous_end || entry.begin >= entry.end || entry.end > bytes.size()) return "bytes of an entry";
  if (entry.line < 1 || entry.line > entry.line_end) return "lines of an entry";
  if (lines_before(bytes, entry.begin) + 1 > static_cast<size_t>(entry.line)) return "first line of an entry";
  const size_t lines = lines_before(bytes, entry.end);
  const bool is_terminated = bytes[entry.end - 1] == '\n' || bytes[entry.end - 1] == '\r';
  if (lines + (is_terminated ? 0 : 1) < static_cast<size_t>(entry.line_end)) return "last line of an entry";
  return {};
}

std::string check_text(const ParsedEntry& entry) {
  if (!is_valid_utf8(entry.text) || entry.text.find('\0') != std::string::npos) return "text that is not UTF-8";
  if (entry.text.find('\r') != std::string::npos) return "carriage return in a text";
  if (entry.hash != text_hash(entry.text).substr(0, 32)) return "hash";
  const bool has_id = entry.metadata && !entry.metadata->id.empty();
  if (entry.id != (has_id ? entry.metadata->id : id_from_hash(entry.hash))) return "id";
  return {};
}

std::string check_writing(const ParsedEntry& entry) {
  const std::string normal = normalise_text(entry.text);
  if (normal.empty()) return {};
  const auto written = write_entry(entry.metadata.value_or(Metadata()), entry.text);
  if (!written) return "refused to write: " + written.error().message;
  const ParsedFile read = parse(*written);
  if (read.entries.size() != 1 || read.entries[0].text != normal) return "written text does not come back";
  if (read.open_end != OpenEnd::none || read.held) return "written text leaves something open";
  return {};
}

// Appending must be possible behind anything whose end is not open.
std::string check_appending(std::string_view bytes, const ParsedFile& file) {
  if (file.open_end != OpenEnd::none) return {};
  Metadata metadata;
  metadata.project = "appended";
  const auto entry = write_entry(metadata, "# appended\n\n=======\n>>>>>>> b");
  const std::string all = std::string(bytes) + "\n\n" + entry.value_or("");
  const ParsedFile longer = parse(all);
  if (longer.entries.size() != file.entries.size() + 1) return "an appended entry is not the only new one";
  if (longer.entries.back().metadata.value_or(Metadata()).project != "appended") return "an appended entry has lost its metadata";
  if (longer.held != file.held) return "an appended entry makes a conflict";
  return {};
}

std::string check_resuming(std::string_view bytes, size_t split) {
  const ParsedFile whole = parse(bytes);
  const ParsedFile start = parse(bytes.substr(0, split));
  const auto kept = static_cast<std::ptrdiff_t>(start.resume.entries);
  const auto id_before = [&](std::string_view id) {
    return std::any_of(start.entries.begin(), start.entries.begin() + kept,
                       [&](const ParsedEntry& entry) { return entry.metadata && entry.metadata->id == id; });
  };
  const auto resume = ResumePoint::deserialise(start.resume.serialise());
  if (resume != start.resume) return "resume point is not kept";
  const ParsedFile rest = parse_from(bytes, *resume, id_before);
  if (start.resume.entries + rest.entries.size() != whole.entries.size()) return "entries after resuming";
  for (size_t i = 0; i < whole.entries.size(); ++i) {
    const ParsedEntry& entry = i < start.resume.entries ? start.entries[i] : rest.entries[i - start.resume.entries];
    const ParsedEntry& wanted = whole.entries[i];
    if (entry.text != wanted.text || entry.id != wanted.id || entry.line != wanted.line || entry.begin != wanted.begin ||
        entry.end != wanted.end || entry.section != wanted.section || entry.tags != wanted.tags)
      return "an entry after resuming";
  }
  if (rest.held != whole.held || rest.open_end != whole.open_end || rest.front_date != whole.front_date)
    return "state after resuming";
  return {};
}

}  // namespace

std::string check_parse(std::string_view bytes) {
  const ParsedFile file = parse(bytes);
  size_t previous_end = 0;
  for (const ParsedEntry& entry : file.entries) {
    std::string broken = check_place(bytes, entry, previous_end);
    if (broken.empty()) broken = check_text(entry);
    if (broken.empty()) broken = check_writing(entry);
    if (!broken.empty()) return broken;
    previous_end = entry.end;
  }
  if (std::string broken = check_appending(bytes, file); !broken.empty()) return broken;
  if (bytes.empty()) return {};
  // A place to split that follows from the bytes, so that a finding can be replayed.
  return check_resuming(bytes, static_cast<unsigned char>(bytes.back()) * bytes.size() / 255);
}

}  // namespace loci
