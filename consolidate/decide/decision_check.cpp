#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/unicode.h"
#include "consolidate/decide/decision_view.h"
#include "consolidate/decide/statement_check.h"
#include "parser/writer.h"

namespace loci {
namespace {

using Kind = Operation::Kind;

constexpr size_t longest_why = 300;  // characters

bool contains(const std::vector<size_t>& indexes, size_t index) { return std::ranges::find(indexes, index) != indexes.end(); }

bool is_control(char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f'; }

// What takes no room, or turns the direction of writing: a text with it says something else than a person sees.
bool is_invisible(char32_t c) {
  constexpr std::pair<char32_t, char32_t> ranges[] = {{0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},   {0x115F, 0x1160},
                                                      {0x180E, 0x180E}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F},
                                                      {0x3164, 0x3164}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xE0000, 0xE007F}};
  return std::ranges::any_of(ranges, [&](const auto& range) { return c >= range.first && c <= range.second; });
}

std::set<char32_t> invisible_in(std::string_view text) {
  std::set<char32_t> found;
  for (size_t at = 0; at < text.size();)
    if (const char32_t c = decode_code_point(text, at); is_invisible(c)) found.insert(c);
  return found;
}

std::unexpected<Error> refuse(std::string message) { return fail(ErrorCode::refused, std::move(message)); }

class ReferenceCheck {
 public:
  explicit ReferenceCheck(DecisionView& view) : view_(view) {
    for (const Operation& operation : view.operations()) {
      for (const size_t fact : operation.facts) {
        ++times_named_[fact];
        settled_by_.try_emplace(fact, &operation);
      }
      if (operation.target) ++times_written_[*operation.target];
    }
  }

  // All that is wrong with an operation. What it names comes first: the other rules may then follow every reference.
  std::vector<std::string> wrong(const Operation& operation) {
    std::vector<std::string> found;
    for (const auto rule : {&ReferenceCheck::check_facts, &ReferenceCheck::check_targets, &ReferenceCheck::check_removal,
                            &ReferenceCheck::check_same_as, &ReferenceCheck::check_end_of_duplicates})
      if (auto allowed = (this->*rule)(operation); !allowed) return {allowed.error().message};
    for (const auto rule : {&ReferenceCheck::check_text, &ReferenceCheck::check_ignored, &ReferenceCheck::check_trust,
                            &ReferenceCheck::check_correction, &ReferenceCheck::check_outdated})
      if (auto allowed = (this->*rule)(operation); !allowed) found.push_back(allowed.error().message);
    if (found.empty()) found = wrong_in_statement(view_, operation);
    return found;
  }

 private:
  bool is_here(size_t entry) const { return contains(view_.cluster().writable, entry) || contains(view_.cluster().shown, entry); }

  Status check_facts(const Operation& operation) {
    if (operation.kind == Kind::remove) return operation.facts.empty() ? Status() : refuse("has facts");
    if (operation.facts.empty()) return refuse("names no fact");
    for (const size_t index : operation.facts) {
      if (!contains(view_.cluster().facts, index)) return refuse("names a fact that is not of this cluster");
      if (times_named_[index] > 1) return refuse("names a fact that another operation names too: " + view_.fact(index).id);
    }
    return {};
  }

  Status check_targets(const Operation& operation) {
    if (operation.kind != Kind::replace && operation.kind != Kind::remove)
      return operation.target ? refuse("has a target") : Status();
    if (!operation.target) return refuse("has no target");
    if (!is_here(*operation.target)) return refuse("has a target that is not of this cluster");
    if (!contains(view_.cluster().writable, *operation.target))
      return refuse("has a target that may only be read: " + view_.entry(*operation.target).id);
    if (times_written_[*operation.target] > 1)
      return refuse("has the target of another operation: " + view_.entry(*operation.target).id);
    return {};
  }

  Status check_removal(const Operation& operation) {
    if (operation.kind != Kind::remove) return operation.into ? refuse("has an entry to merge into") : Status();
    if (!operation.into || !view_.replacement_of(*operation.into))
      return refuse("removes an entry that no REPLACE of this answer takes in: " + view_.entry(*operation.target).id);
    return {};
  }

  bool adds_invisible(const Operation& operation) const {
    std::set<char32_t> added = invisible_in(operation.text);
    const auto take_away = [&](const std::string& source) {
      for (const char32_t c : invisible_in(source)) added.erase(c);
    };
    for (const size_t index : operation.facts) take_away(view_.fact(index).text);
    if (operation.target) take_away(view_.entry(*operation.target).text);
    return !added.empty();
  }

  Status check_text(const Operation& operation) {
    if (!DecisionView::writes_text(operation)) return operation.text.empty() ? Status() : refuse("has a text");
    const std::string& text = operation.text;
    if (!is_valid_utf8(text)) return refuse("has a text that is no valid UTF-8");
    if (normalise_text(text).find_first_not_of(" \t\n") == std::string::npos) return refuse("has an empty text");
    if (view_.is_verbatim(operation)) return {};
    if (std::ranges::any_of(text, is_control)) return refuse("has a text with control characters");
    if (adds_invisible(operation)) return refuse("has a text with invisible characters that its facts do not have");
    if (count_code_points(text) > longest_entry_text)
      return refuse("has a text of more than " + std::to_string(longest_entry_text) + " characters");
    for (const std::string_view mark : {"<!--m", "<!--/m", "<!-- loci:core"})
      if (text.contains(mark)) return refuse("has a text with metadata or markers in it");
    return {};
  }

  Status check_ignored(const Operation& operation) {
    if (operation.kind != Kind::ignore) return {};
    for (const size_t index : operation.facts) {
      if (view_.fact(index).source >= Source::user) return refuse("ignores what a person said: " + view_.fact(index).id);
      if (!view_.fact(index).corrects.empty()) return refuse("ignores an update that took effect: " + view_.fact(index).id);
    }
    if (operation.why.find_first_not_of(" \t\n") == std::string::npos) return refuse("gives no reason");
    if (!is_valid_utf8(operation.why) || std::ranges::any_of(operation.why, is_control) ||
        count_code_points(operation.why) > longest_why)
      return refuse("has a reason that is no short text");
    return {};
  }

  Status check_same_as(const Operation& operation) {
    if (operation.kind != Kind::duplicate)
      return operation.same_as_fact || operation.same_as_entry ? refuse("is a duplicate of something") : Status();
    if (operation.same_as_fact.has_value() == operation.same_as_entry.has_value())
      return refuse("is not the duplicate of exactly one fact or entry");
    if (operation.same_as_fact && !view_.is_here(*operation.same_as_fact))
      return refuse("is the duplicate of a fact that is not of this cluster");
    return {};
  }

  // Each duplicate has to lead to an entry, perhaps through other facts.
  Status check_end_of_duplicates(const Operation& operation) {
    if (operation.kind != Kind::duplicate) return {};
    const Operation* step = &operation;
    for (size_t steps = 0; step->kind == Kind::duplicate && step->same_as_fact; ++steps) {
      const auto next = settled_by_.find(*step->same_as_fact);
      if (next == settled_by_.end()) return refuse("is the duplicate of a fact that the answer does not settle");
      if (steps > view_.operations().size() || next->second == step) return refuse("is the duplicate of itself");
      step = next->second;
    }
    if (step->kind == Kind::ignore) return refuse("is the duplicate of a fact that is ignored");
    if (step->kind != Kind::duplicate || !step->same_as_entry) return {};
    if (!is_here(*step->same_as_entry)) return refuse("is the duplicate of an entry that is not of this cluster");
    const bool is_removed = std::ranges::any_of(view_.operations(), [&](const Operation& other) {
      return other.kind == Kind::remove && other.target == step->same_as_entry;
    });
    return is_removed ? refuse("is the duplicate of an entry that is removed") : Status();
  }

  // What somebody said yields only to facts that are trusted as much.
  Status check_trust(const Operation& operation) {
    if (operation.kind != Kind::replace && operation.kind != Kind::remove) return {};
    const DurableEntry& target = view_.entry(*operation.target);
    const Operation& rewriting = operation.kind == Kind::replace ? operation : *view_.replacement_of(*operation.into);
    if (view_.highest_trust(rewriting) >= target.source || goes_on(operation, target)) return {};
    return refuse("overrules an entry of source " + std::string(loci::name_of(target.source)) +
                  " with facts of lower trust: " + target.id);
  }

  Status check_correction(const Operation& operation) {
    if (!operation.is_correction) return {};
    if (operation.kind != Kind::replace) return refuse("is a correction");
    const DurableEntry& target = view_.entry(*operation.target);
    const auto corrects = [&](size_t index) { return may_correct(view_.fact(index), target); };
    if (std::ranges::any_of(operation.facts, corrects)) return {};
    return refuse("claims to correct, and no fact of a person's, trusted as much, concerns what " + target.id + " says");
  }

  // Time goes on: what was corrected once is changed by what a person says on a later day.
  bool goes_on(const Operation& operation, const DurableEntry& target) const {
    if (operation.kind != Kind::replace || target.source != Source::correction || operation.is_correction) return false;
    const std::string& said = target.sources.empty() ? target.updated : std::ranges::max(target.sources);
    return std::ranges::any_of(
        operation.facts, [&](size_t index) { return view_.fact(index).source == Source::user && view_.fact(index).day > said; });
  }

  bool may_correct(const Fact& fact, const DurableEntry& target) {
    return fact.source >= Source::user && fact.source >= target.source && concerns(fact, target);
  }

  // It names the entry or a fact of it, or is about the same by a key, a name or a value.
  bool concerns(const Fact& fact, const DurableEntry& target) {
    const auto is_of_target = [&](const std::string& id) { return id == target.id || contains_id(target.from, id); };
    if (!fact.corrects.empty() && is_of_target(fact.corrects)) return true;
    if (std::ranges::any_of(fact.earlier, [&](const FactVersion& version) { return is_of_target(version.id); })) return true;
    return is_about(view_, fact, target);
  }

  // A person edited a fact: the entry that rests on nothing else is rewritten, or it would say for ever what it said before. It
  // stays where another fact still says it, or where the fact is trusted less.
  Status check_outdated(const Operation& operation) {
    if (operation.kind != Kind::add) return {};
    for (const size_t index : operation.facts)
      for (const size_t place : view_.cluster().writable) {
        const DurableEntry& old = view_.entry(place);
        if (!contains_id(old.from, view_.fact(index).id)) continue;
        const bool may = old.source < Source::user || view_.fact(index).source >= old.source;
        const bool is_said_again =
            std::ranges::any_of(view_.cluster().facts, [&](size_t other) { return view_.fact(other).hash == old.hash; });
        if (old.from.size() == 1 && may && !is_said_again)
          return refuse("adds a fact anew whose entry says what it said before: REPLACE " + old.id);
        break;  // of two entries one is enough
      }
    return {};
  }

  static bool contains_id(const std::vector<std::string>& ids, const std::string& id) {
    return std::ranges::find(ids, id) != ids.end();
  }

  DecisionView& view_;
  std::map<size_t, const Operation*> settled_by_;      // facts
  std::map<size_t, int> times_named_, times_written_;  // facts, entries
};

}  // namespace

Violations check_operations(const Decision& decision, const Material& material, const Cluster& cluster) {
  DecisionView view(decision.operations, material, cluster);
  ReferenceCheck check(view);
  Violations violations;
  for (const Operation& operation : decision.operations) violations.push_back(check.wrong(operation));
  refuse_dependents(decision, violations);
  return violations;
}

// A merge stands or falls whole, and a duplicate with what it points to. Repeated, because one may depend on the next.
void refuse_dependents(const Decision& decision, Violations& violations) {
  const auto& operations = decision.operations;
  const auto refused = [&](auto&& is_it) {
    for (size_t i = 0; i < operations.size(); ++i)
      if (!violations[i].empty() && is_it(operations[i])) return true;
    return false;
  };
  for (bool has_changed = true; std::exchange(has_changed, false);) {
    for (size_t i = 0; i < operations.size(); ++i) {
      const Operation& one = operations[i];
      if (!violations[i].empty()) continue;
      const bool is_alone = refused([&](const Operation& other) {
        if (one.kind == Kind::remove) return other.kind == Kind::replace && other.target == one.into;
        if (one.kind == Kind::replace) return other.kind == Kind::remove && other.into == one.target;
        if (one.kind != Kind::duplicate) return false;
        if (one.same_as_fact) return contains(other.facts, *one.same_as_fact);
        return other.kind == Kind::replace && other.target == one.same_as_entry;
      });
      if (!is_alone) continue;
      violations[i].emplace_back("belongs to an operation that is refused");
      has_changed = true;
    }
  }
}

Decision passed_by(const Decision& decision, const Violations& violations) {
  Decision passed;
  for (size_t i = 0; i < decision.operations.size(); ++i)
    if (violations[i].empty()) passed.operations.push_back(decision.operations[i]);
  return passed;
}

}  // namespace loci
