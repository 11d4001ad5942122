#include "context/message_block.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "context/block_lines.h"
#include "context/data_text.h"
#include "context/system_block.h"
#include "memory/may_send.h"
#include "parser/core_file.h"
#include "tokens/token_counter.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

constexpr std::int64_t tokens_of_corrections = 500, tokens_of_background = 800;
constexpr const char* cut_for_budget = "over the budget";
constexpr const char* cut_as_shown = "in the system block";
constexpr const char* cut_as_still_given = "still given";
constexpr const char* cut_as_double = "says the same as another";

struct Line {
  std::string text;
  GivenEntry entry;  // of a line of User Context empty
  bool is_correction = false;
};
using Lines = std::vector<Line>;

struct Sections {
  Lines user, history, facts;
};

std::string section(std::string_view heading, const Lines& lines) {
  if (lines.empty()) return {};
  std::string text = std::string(heading) + '\n';
  for (const Line& line : lines) text += line.text + '\n';
  return text;
}

std::string joined(const std::string& before, const std::string& behind) {
  return before + (before.empty() || behind.empty() ? "" : "\n") + behind;
}

std::string background_of(const Sections& sections) {
  return joined(section("User Context:", sections.user), section("History:", sections.history));
}

std::string render(const Sections& sections) {
  const std::string inside = joined(background_of(sections), section("Facts:", sections.facts));
  return inside.empty() ? inside : "<memory-context>\n" + inside + "</memory-context>";
}

GivenEntry given_entry(const Entry& entry) {
  const EntryPlace place = entry.places.empty() ? EntryPlace{} : entry.places.front();
  return {entry.id, place.file, place.line, entry.hash};
}

// The most of `lines`, from the beginning, with which `fits` holds; what holds for some holds for fewer.
size_t most_that_fit(const Lines& lines, const std::function<bool(size_t)>& fits) {
  size_t some = 0, too_many = lines.size() + 1;
  while (some + 1 < too_many) {
    const size_t middle = (some + too_many) / 2;
    (fits(middle) ? some : too_many) = middle;
  }
  return some;
}

Lines first_of(const Lines& lines, size_t count) { return {lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count)}; }

// The words of the lines of MEMORY.md's core, by the entry that each shows.
std::multimap<std::string, std::string> core_lines_of(const Vault& vault) {
  std::multimap<std::string, std::string> lines;
  const auto bytes = read_file_if_any(vault.files(), vault.file(core_file_name));
  if (!bytes || !*bytes) return lines;
  const auto core = read_core(**bytes);
  if (!core) return lines;
  for (const CoreLine& line : core->lines)
    if (!line.ref.empty()) lines.emplace(line.ref, joined_words_of(line.text));
  return lines;
}

class MessageBlockMaker {
 public:
  MessageBlockMaker(Memory& memory, const ContextRequest& request, const GivenBefore& before)
      : memory_(memory),
        request_(request),
        config_(memory.vault().config()),
        counter_(encoding_from(config_.recall.encoding).value_or(Encoding::cl100k_base)),
        before_(before),
        shown_words_(joined_words_of(before.system_block)) {}

  Result<MessageBlock> make(const ContextEntries& found) {
    TRY(add_user_context());
    if (!found.facts.empty()) core_lines_ = core_lines_of(memory_.vault());
    for (const ContextEntry& candidate : found.history) {
      const Entry& entry = candidate.entry;
      if (is_new(entry))
        wanted_.history.push_back({history_line(entry, found.context, counter_, memory_.vault().clock()), given_entry(entry)});
    }
    for (const ContextEntry& candidate : found.facts) {
      const Entry& entry = candidate.entry;
      block_.scores.set(entry.id, candidate.rank);
      if (is_new(entry))
        wanted_.facts.push_back(
            {fact_line(entry, found.context, counter_), given_entry(entry), entry.source == Source::correction});
    }
    choose();
    return finish();
  }

 private:
  Status add_user_context() {
    if (!before_.system_block.empty()) return {};
    const Vault& vault = memory_.vault();
    const auto bytes = read_file_if_any(vault.files(), vault.file(user_file_name));
    if (!bytes || !*bytes) return {};  // what else is known is given all the same
    const auto part = TRY(Sendable(memory_).sendable_part(**bytes, user_file_name));
    for (std::string& line : user_context_lines(part)) {
      shown_words_ += joined_words_of(line);
      wanted_.user.push_back({std::move(line), {}});
    }
    return {};
  }

  // Neither in the system block nor said before in other marks.
  bool is_new(const Entry& entry) {
    const std::string words = joined_words_of(entry.text);
    if (is_shown(entry, words)) {
      block_.given.push_back(given_entry(entry));
      block_.cut.push_back({entry.id, cut_as_shown});
      return false;
    }
    const auto before = before_.entries.find(entry.id);
    const bool still_given = before != before_.entries.end() && before->second == entry.hash;
    if (!still_given && said_.insert(words).second) return true;
    block_.cut.push_back({entry.id, still_given ? cut_as_still_given : cut_as_double});
    return false;
  }

  bool is_shown(const Entry& entry, const std::string& words) const {
    constexpr size_t no_words = 1;
    if (words.size() > no_words && shown_words_.contains(words)) return true;
    const auto [first, last] = core_lines_.equal_range(entry.id);
    return std::any_of(first, last, [&](const auto& line) { return shown_words_.contains(line.second); });
  }

  bool fits(const Sections& sections) const {
    const std::string block = render(sections);
    const std::int64_t budget = request_.budget.value_or(config_.recall.max_injection_tokens);
    return block.size() <= most_injected_bytes && counter_.count(block).tokens <= budget;
  }

  // The first `count` of these lines in addition, within the limit of their section and of all.
  void take(const Lines& lines, Lines Sections::* section_of, const std::function<bool(const Sections&)>& fits_section) {
    const auto with = [&](size_t count) {
      Sections sections = chosen_;
      for (const Line& line : first_of(lines, count)) (sections.*section_of).push_back(line);
      return sections;
    };
    const size_t count = most_that_fit(lines, [&](size_t some) { return fits(with(some)) && fits_section(with(some)); });
    chosen_ = with(count);
    for (size_t i = count; i < lines.size(); ++i) left_out_.insert(lines[i].entry.id);
  }

  void choose() {
    const auto any = [](const Sections&) { return true; };
    const auto are_few_corrections = [&](const Sections& sections) {
      return counter_.count(section("", sections.facts)).tokens <= tokens_of_corrections;
    };
    const auto is_short_background = [&](const Sections& sections) {
      return counter_.count(background_of(sections)).tokens <= tokens_of_background;
    };
    Lines corrections = wanted_.facts;
    std::erase_if(corrections, [](const Line& line) { return !line.is_correction; });
    take(corrections, &Sections::facts, are_few_corrections);
    take(wanted_.user, &Sections::user, is_short_background);
    take(wanted_.history, &Sections::history, is_short_background);
    Lines rest = wanted_.facts;
    std::erase_if(rest, [&](const Line& line) { return line.is_correction && !left_out_.contains(line.entry.id); });
    left_out_.clear();
    take(rest, &Sections::facts, any);
  }

  MessageBlock finish() {
    block_.text = render(chosen_);
    const TokenCount count = counter_.count(block_.text);
    block_.tokens = count.tokens;
    block_.exact = count.exact;
    std::set<std::string> given;
    for (const Lines* lines : {&chosen_.history, &chosen_.facts})
      for (const Line& line : *lines) {
        given.insert(line.entry.id);
        block_.given.push_back(line.entry);
      }
    for (const Lines* lines : {&wanted_.history, &wanted_.facts})
      for (const Line& line : *lines)
        if (!given.contains(line.entry.id)) block_.cut.push_back({line.entry.id, cut_for_budget});
    return std::move(block_);
  }

  Memory& memory_;
  const ContextRequest& request_;
  const Config& config_;
  TokenCounter counter_;
  const GivenBefore& before_;
  std::string shown_words_;
  std::multimap<std::string, std::string> core_lines_;
  std::set<std::string> said_, left_out_;
  Sections wanted_, chosen_;
  MessageBlock block_;
};

}  // namespace

Result<MessageBlock> make_message_block(Memory& memory, const ContextRequest& request, const ContextEntries& found,
                                        const GivenBefore& before) {
  return MessageBlockMaker(memory, request, before).make(found);
}

}  // namespace loci
