// Text that code writes reads back as exactly that text, and can never be anything but text.
#include "parser/writer.h"

#include <gtest/gtest.h>

#include "nasty_text.h"
#include "parser/parser.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

Metadata metadata_of(std::string id) {
  Metadata metadata;
  metadata.id = std::move(id);
  metadata.source = Source::agent;
  return metadata;
}

// Empty if every text, written one after the other as appends do, comes back as one entry each, behind what stood there.
std::string broken(const std::string& before, const std::vector<std::string>& texts) {
  std::string file = before;
  const ParsedFile old = parse(before);
  if (old.open_end != OpenEnd::none) return {};
  std::vector<std::string> written;
  for (const std::string& text : texts) {
    if (normalise_text(text).empty()) continue;
    const auto entry = write_entry(metadata_of("id" + std::to_string(written.size())), text);
    if (!entry) return "refused: " + entry.error().message;
    if (!file.empty() && !file.ends_with('\n')) file += '\n';
    file += "\n" + *entry;
    written.push_back(normalise_text(text));
  }
  const ParsedFile now = parse(file);
  if (now.entries.size() != old.entries.size() + written.size()) return "entries";
  if (now.open_end != OpenEnd::none) return "open end";
  if (now.held != old.held) return "held";
  for (size_t i = 0; i < old.entries.size(); ++i)
    if (now.entries[i].text != old.entries[i].text || now.entries[i].id != old.entries[i].id) return "text before";
  for (size_t i = 0; i < written.size(); ++i) {
    const ParsedEntry& entry = now.entries[old.entries.size() + i];
    if (entry.text != written[i]) return "text";
    if (entry.id != "id" + std::to_string(i) || entry.metadata->source != Source::agent) return "metadata";
    if (entry.metadata->sum != sum_from_hash(entry.hash)) return "sum";
  }
  return {};
}

TEST(Writer, EveryTextComesBack) {
  SoupKitchen kitchen(1);
  const size_t trials = scaled(40000);
  for (size_t trial = 0; trial < trials; ++trial) {
    const Soup soup = kitchen.cook(trial % 10 == 0 ? 80 : 10);
    const auto fails = [](const Soup& s) { return !broken("", {joined(s)}).empty(); };
    if (!fails(soup)) continue;
    const std::string small = joined(shrunk(soup, fails));
    FAIL() << broken("", {small}) << "\n"
           << shown(small) << "\n-- written\n"
           << shown(write_entry(metadata_of("a"), small).value_or("refused"));
  }
}

TEST(Writer, EveryTextComesBackBehindAPersonsTextAndOtherEntries) {
  SoupKitchen kitchen(2);
  const size_t trials = scaled(6000);
  for (size_t trial = 0; trial < trials; ++trial) {
    Soup before = kitchen.cook_raw(12);
    std::vector<std::string> texts;
    for (int i = 0; i < 8; ++i) texts.push_back(joined(kitchen.cook(8)));
    const auto fails = [&](const Soup& s) { return !broken(joined(s), texts).empty(); };
    if (!fails(before)) continue;
    before = shrunk(before, fails);
    for (size_t i = 0; i < texts.size();) {
      auto fewer = texts;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (broken(joined(before), fewer).empty())
        ++i;
      else
        texts = fewer;
    }
    std::string message = broken(joined(before), texts) + "\n-- before\n" + shown(joined(before));
    for (const auto& text : texts)
      message += "\n-- text\n" + shown(text) + "\n-- written\n" + shown(write_entry(metadata_of("a"), text).value_or(""));
    FAIL() << message;
  }
}

}  // namespace
}  // namespace loci
