#include "bench/scale_vault.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <set>

namespace loci::bench {
namespace {

constexpr size_t vocabulary = 6'000, notes_a_folder = 100, files_a_day = 5;
constexpr size_t fewest_words = 20, most_words = 40;

// Of two to four syllables each, the most frequent first.
std::vector<std::string> make_words() {
  constexpr std::string_view syllables[] = {"ka", "to", "mi", "ra", "ne", "so", "lu", "ti", "pa", "ve",
                                            "do", "gi", "ma", "ro", "se", "bu", "lo", "ni", "fa", "de"};
  std::mt19937_64 random(7);
  std::vector<std::string> words;
  for (std::set<std::string> known; words.size() < vocabulary;) {
    std::string word;
    for (std::uint64_t left = 2 + random() % 3; left > 0; --left) word += syllables[random() % std::size(syllables)];
    if (known.insert(word).second) words.push_back(word);
  }
  return words;
}

const std::vector<std::string>& words() {
  static const std::vector<std::string> all = make_words();
  return all;
}

const std::string& word_from(std::mt19937_64& random) {
  static const std::vector<double> up_to = [] {
    std::vector<double> sums;
    double sum = 0;
    for (size_t rank = 1; rank <= vocabulary; ++rank) sums.push_back(sum += 1 / std::pow(static_cast<double>(rank), 0.9));
    return sums;
  }();
  const double at = static_cast<double>(random() >> 11) * 0x1p-53 * up_to.back();
  const auto rank = std::ranges::upper_bound(up_to, at) - up_to.begin();
  return words()[std::min(static_cast<size_t>(rank), vocabulary - 1)];
}

std::string entry_text(size_t file, size_t entry) {
  const std::uint64_t seed = file * 1'000 + entry;
  return sentence(seed, fewest_words + seed % (most_words - fewest_words));
}

std::string note_name(size_t number) {
  char name[64];
  std::snprintf(name, sizeof name, "notes/%02zu/%05zu.md", number / notes_a_folder, number);
  return name;
}

std::string day_name(size_t number) {
  using namespace std::chrono;
  const year_month_day day{sys_days{2026y / November / 1} - days{static_cast<int>(number)}};
  char name[32];
  std::snprintf(name, sizeof name, "%04d-%02u-%02u", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                static_cast<unsigned>(day.day()));
  return name;
}

std::string day_text(size_t number, size_t entries) {
  const std::string day = day_name(number);
  std::string text = "# " + day + "\n";
  for (size_t entry = 0; entry < entries; ++entry)
    text += "\n<!--m {\"id\":\"e" + std::to_string(number * 1'000 + entry) + "\",\"at\":\"" + day +
            "T08:00:00Z\",\"source\":\"agent\",\"kind\":\"fact\"}-->\n" + entry_text(1'000'000 + number, entry) + "\n";
  return text;
}

void write(const path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

// In how many entries each word stands.
class WordCounts {
 public:
  void add_entry(const std::string& text) {
    std::set<std::string_view> seen;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(' ', begin), text.size());
      const std::string_view word(text.data() + begin, end - begin);
      if (seen.insert(word).second) ++counts_[std::string(word)];
      begin = end + 1;
    }
  }
  std::vector<std::string> between(double least, double most) const {
    std::vector<std::string> found;
    for (const auto& [word, count] : counts_)
      if (static_cast<double>(count) >= least && static_cast<double>(count) <= most) found.push_back(word);
    return found;
  }

 private:
  std::map<std::string, size_t> counts_;
};

}  // namespace

std::string sentence(std::uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : " ") + word_from(random);
  return text;
}

std::string word_of_its_own(size_t number) {
  std::string word = "zq";
  for (int place = 0; place < 6; ++place, number /= 10) word += "bcdfghjklm"[number % 10];
  return word;
}

std::string ScaleVault::text_of_note(size_t number) const {
  std::string text = "# Note " + std::to_string(number) + "\n";
  for (size_t entry = 0; entry < scale.entries_per_file; ++entry) text += "\n" + entry_text(number, entry) + "\n";
  return text;
}

ScaleVault make_scale_vault(const path& root, Scale scale) {
  ScaleVault vault{root, scale, {}, {}, {}};
  for (const char* folder : {".loci", "archive", "notes"}) std::filesystem::create_directories(root / folder);
  const size_t days = scale.files / files_a_day, notes = scale.files - days;
  WordCounts counts;
  for (size_t day = 0; day < days; ++day) {
    write(root / "archive" / (day_name(day) + ".md"), day_text(day, scale.entries_per_file));
    for (size_t entry = 0; entry < scale.entries_per_file; ++entry) counts.add_entry(entry_text(1'000'000 + day, entry));
  }
  for (size_t note = 0; note < notes; ++note) {
    const path file = root / vault.notes.emplace_back(note_name(note));
    if (note % notes_a_folder == 0) std::filesystem::create_directories(file.parent_path());
    write(file, vault.text_of_note(note));
    for (size_t entry = 0; entry < scale.entries_per_file; ++entry) counts.add_entry(entry_text(note, entry));
  }
  const auto entries = static_cast<double>(scale.files * scale.entries_per_file);
  vault.rare_words = counts.between(3, 25 * entries / 10'000);
  vault.common_words = counts.between(entries / 10, entries / 2);
  return vault;
}

}  // namespace loci::bench
