#include "memory/own_text.h"

#include <algorithm>

#include "base/byte_order_mark.h"
#include "base/unicode.h"
#include "parser/parser.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

// A heading is one line.
std::vector<std::string> headings_in(const Json& json) {
  std::vector<std::string> headings = json.texts_at("section");
  for (std::string& heading : headings) std::ranges::replace_if(heading, [](unsigned char c) { return c < 0x20; }, ' ');
  return headings;
}

// A byte order mark is no part of the first line.
std::string written_lines(std::string_view bytes, const ParsedEntry& entry) {
  take_byte_order_mark(bytes);
  return scrub_utf8(lines_between(bytes, entry.line, entry.line_end));
}

}  // namespace

OwnTexts::OwnTexts(const Vault& vault) {
  for (const char* file : own_text_files) {
    const auto bytes = read_file_if_any(vault.files(), vault.file(file));
    if (!bytes || !*bytes) continue;
    for (const ParsedEntry& entry : parse(**bytes).entries) {
      if (entry.metadata && !entry.metadata->ref.empty()) continue;
      OwnText text{file, entry.section, entry.line, entry.line_end, {}};
      if (!entry.metadata) text.written = written_lines(**bytes, entry);
      by_id_[entry.id].push_back(std::move(text));
    }
  }
}

const std::vector<OwnText>& OwnTexts::of(const std::string& id) const {
  static const std::vector<OwnText> none;
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? none : found->second;
}

Json own_texts_to_json(const std::vector<OwnText>& texts) {
  Json all = Json::array();
  for (const OwnText& text : texts) {
    Json one = Json::object();
    one.add_unchecked("file", text.file);
    one.add_unchecked("section", text.section);
    one.add_unchecked("line", text.line);
    one.add_unchecked("line_end", text.line_end);
    one.add_unchecked("written", text.written.empty() ? Json() : Json(text.written));
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<OwnText> own_texts_from(const Json& json) {
  std::vector<OwnText> texts;
  for (const Json& one : json.as_array() ? *json.as_array() : Json::Array()) {
    const std::string file = one.text_at("file");
    if (std::ranges::find(own_text_files, file) == std::end(own_text_files)) continue;
    texts.push_back({file, headings_in(one), one.integer_at("line"), one.integer_at("line_end"), one.text_at("written")});
  }
  return texts;
}

}  // namespace loci
