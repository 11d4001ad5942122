// Random merges against a model that knows nothing of markdown: entries in a map, a person's paragraphs in a set.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "parser/parser.h"
#include "parser/text_hash.h"
#include "sync/merge_three.h"

namespace loci {
namespace {

struct ModelEntry {
  std::string text;
  std::string written;  // what loci wrote there: another text than `text` is a person's
  std::set<std::string> from, unknown;
};

struct ModelFile {
  std::vector<std::string> order;  // ids, and paragraphs as they stand
  std::map<std::string, ModelEntry> entries;
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(engine_); }
  bool chance(int percent) { return below(100) < static_cast<size_t>(percent); }
  std::string word() {
    static constexpr const char* words[] = {"alpha",  "**beta**", "gamma `x`", "delta",    "# epsilon",
                                            "ümläut", "=======",  "1. one",    "> quoted", "<!--m {} -->"};
    return words[below(std::size(words))];
  }
  std::string text() {
    std::string out = "t" + std::to_string(++count_);
    for (size_t i = 0, n = below(4); i < n; ++i) out += ' ' + word();
    return out;
  }

 private:
  std::mt19937 engine_;
  int count_ = 0;
};

std::string rendered(const ModelFile& file) {
  std::string out = "# Heading\n\n";
  for (const std::string& one : file.order) {
    const auto found = file.entries.find(one);
    if (found == file.entries.end()) {
      out += one + "\n\n";
      continue;
    }
    const ModelEntry& entry = found->second;
    out += R"(<!--m {"id":")" + one + R"(","sum":")" + sum_from_hash(text_hash(entry.written)) + "\",\"from\":[";
    for (const std::string& fact : entry.from) out += (out.ends_with('[') ? "\"" : ",\"") + fact + '"';
    out += "]";
    for (const std::string& key : entry.unknown) out += ",\"" + key + "\":\"v\"";
    out += "}-->\n" + entry.text + "\n\n";
  }
  return out;
}

ModelFile random_file(Random& random) {
  ModelFile file;
  for (size_t i = 0, n = random.below(8); i < n; ++i) {
    if (random.chance(70)) {
      const std::string id = "e" + std::to_string(i), text = random.text();
      file.entries[id] = {text, text, {"f" + id}, {}};
      file.order.push_back(id);
    } else {
      file.order.push_back("Paragraph " + random.text());
    }
  }
  return file;
}

ModelFile changed(ModelFile file, Random& random, const std::string& side) {
  for (size_t i = 0, n = random.below(10); i < n; ++i) {
    const size_t at = file.order.empty() ? 0 : random.below(file.order.size());
    const std::string one = file.order.empty() ? std::string() : file.order[at];
    const bool is_entry = file.entries.contains(one);
    switch (random.below(7)) {
      case 0: {  // a new entry
        const std::string id = side + std::to_string(random.below(1000)), text = random.text() + " of " + side;
        if (file.entries.contains(id)) break;
        file.entries[id] = {text, text, {"f" + id}, {}};
        file.order.insert(file.order.begin() + static_cast<std::ptrdiff_t>(at), id);
        break;
      }
      case 1:  // a person's paragraph
        file.order.insert(file.order.begin() + static_cast<std::ptrdiff_t>(at), "Paragraph " + random.text() + " of " + side);
        break;
      case 2:  // gone
        if (one.empty()) break;
        file.entries.erase(one);
        file.order.erase(file.order.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 3:  // a person's text
        if (is_entry) file.entries[one].text = random.text() + " by hand on " + side;
        if (!is_entry && !one.empty()) file.order[at] = "Paragraph " + random.text() + " of " + side;
        break;
      case 4:  // a run's
        if (!is_entry) break;
        file.entries[one].text = file.entries[one].written = random.text() + " by a run on " + side;
        file.entries[one].from.insert("f" + side + std::to_string(random.below(50)));
        break;
      case 5:
        if (is_entry) file.entries[one].unknown.insert("u_" + side + std::to_string(random.below(5)));
        break;
      default:  // moved
        if (one.empty()) break;
        file.order.erase(file.order.begin() + static_cast<std::ptrdiff_t>(at));
        file.order.insert(file.order.begin() + static_cast<std::ptrdiff_t>(random.below(file.order.size() + 1)), one);
    }
  }
  return file;
}

bool is_hand(const ModelEntry& entry) { return entry.text != entry.written; }

// Every text that has to stand in the result.
std::set<std::string> texts_that_stand(const ModelFile& base, const ModelFile& ours, const ModelFile& theirs) {
  std::set<std::string> stand;
  for (const ModelFile* side : {&ours, &theirs}) {
    const ModelFile& other = side == &ours ? theirs : ours;
    for (const std::string& one : side->order) {
      if (side->entries.contains(one)) continue;
      const bool in_base = std::ranges::find(base.order, one) != base.order.end();
      const bool in_other = std::ranges::find(other.order, one) != other.order.end();
      if (in_other || !in_base) stand.insert(one);
    }
    for (const auto& [id, entry] : side->entries) {
      const auto before = base.entries.find(id), there = other.entries.find(id);
      const bool changed_here = before == base.entries.end() || before->second.text != entry.text;
      if (there == other.entries.end()) {
        if (changed_here) stand.insert(entry.text);
        continue;
      }
      const bool changed_there = before == base.entries.end() || before->second.text != there->second.text;
      if (changed_here && (!changed_there || is_hand(entry))) stand.insert(entry.text);
      if (!changed_here && !changed_there) stand.insert(entry.text);
    }
  }
  return stand;
}

// Every key of an entry that both sides, or only one, have to have kept.
std::map<std::string, std::set<std::string>> unknown_keys(const ModelFile& base, const ModelFile& ours, const ModelFile& theirs) {
  std::map<std::string, std::set<std::string>> keys;
  for (const ModelFile* side : {&ours, &theirs}) {
    const ModelFile& other = side == &ours ? theirs : ours;
    for (const auto& [id, entry] : side->entries) {
      const auto before = base.entries.find(id);
      const bool stays = other.entries.contains(id) || before == base.entries.end() || before->second.text != entry.text;
      if (stays) keys[id].insert(entry.unknown.begin(), entry.unknown.end());
    }
  }
  return keys;
}

TEST(MergeModel, OfTwoThousandRandomMergesNoneLosesAnEntryAKeyOrALineOfAPersonsAndNoneDependsOnWhoMerges) {
  size_t conflicts = 0, moved_apart = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const ModelFile base = random_file(random), ours = changed(base, random, "o"), theirs = changed(base, random, "t");
    const std::string b = rendered(base), o = rendered(ours), t = rendered(theirs);
    const MergedFile merged = merge_entry_files({b, o, t}), other = merge_entry_files({b, t, o});
    const auto tell =
        "seed " + std::to_string(seed) + "\n--- base\n" + b + "--- ours\n" + o + "--- theirs\n" + t + "--- merged\n" + merged.bytes;
    ASSERT_EQ(merged.bytes, other.bytes) << tell;
    ASSERT_EQ(merged.conflicts == 0, merged.bytes.find("<<<<<<< one") == std::string::npos) << tell;
    for (const std::string& text : texts_that_stand(base, ours, theirs))
      ASSERT_NE(merged.bytes.find(text), std::string::npos) << text << '\n' << tell;
    for (const auto& [id, keys] : unknown_keys(base, ours, theirs)) {
      ASSERT_NE(merged.bytes.find("\"id\":\"" + id + '"'), std::string::npos) << id << '\n' << tell;
      for (const std::string& key : keys) ASSERT_NE(merged.bytes.find('"' + key + '"'), std::string::npos) << key << '\n' << tell;
    }
    if (merged.conflicts == 0) {  // what it says is said once
      std::set<std::string> ids;
      for (const ParsedEntry& entry : parse(merged.bytes).entries)
        ASSERT_TRUE(ids.insert(entry.id).second) << entry.id << '\n' << tell;
      ASSERT_EQ(merge_entry_files({o, merged.bytes, o}).bytes, merged.bytes);
    }
    conflicts += merged.conflicts;
    moved_apart += merged.bytes.starts_with("<<<<<<< one\n# Heading") ? 1 : 0;
  }
  EXPECT_GT(conflicts, 50u);   // the merges are not all easy ones
  EXPECT_EQ(moved_apart, 0u);  // and none is left to a person whole
}

}  // namespace
}  // namespace loci
