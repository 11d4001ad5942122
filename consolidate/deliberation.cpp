#include "consolidate/deliberation.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace loci {
namespace {

using Kind = Operation::Kind;

bool contains(const std::vector<size_t>& list, size_t value) { return std::ranges::find(list, value) != list.end(); }

// The facts that no operation of the decision settles.
std::vector<size_t> unsettled(const Cluster& cluster, const Decision& decision) { return decision.left_out(cluster); }

// What is left to decide about: these facts, and as writable only entries that no operation of the decision writes.
Cluster rest_of(const Cluster& cluster, const Decision& decision, std::vector<size_t> facts) {
  Cluster rest{std::move(facts), {}, cluster.shown};
  for (const size_t entry : cluster.writable) {
    const bool is_written =
        std::ranges::any_of(decision.operations, [&](const Operation& operation) { return operation.target == entry; });
    (is_written ? rest.shown : rest.writable).push_back(entry);
  }
  return rest;
}

void add_once(std::vector<size_t>& to, const std::vector<size_t>& more) {
  for (const size_t one : more)
    if (!contains(to, one)) to.push_back(one);
}

// Does an operation stay within these facts and entries?
bool is_within(const Operation& operation, const Cluster& cluster) {
  const auto is_entry = [&](const std::optional<size_t>& entry) {
    return !entry || contains(cluster.writable, *entry) || contains(cluster.shown, *entry);
  };
  return std::ranges::all_of(operation.facts, [&](size_t fact) { return contains(cluster.facts, fact); }) &&
         (!operation.same_as_fact || contains(cluster.facts, *operation.same_as_fact)) && is_entry(operation.target) &&
         is_entry(operation.into) && is_entry(operation.same_as_entry);
}

// The entry that a fact would have changed, had a text been accepted.
std::optional<size_t> refused_target(const Deliberated& deliberated, size_t fact) {
  for (const RefusedOperation& one : deliberated.refused | std::views::reverse)
    if (one.operation.kind == Kind::replace && contains(one.operation.facts, fact)) return one.operation.target;
  return std::nullopt;
}

}  // namespace

void keep_word_for_word(Deliberated& deliberated, const std::vector<size_t>& facts, const Material& material) {
  std::vector<size_t> persons;
  for (const size_t fact : unsettled(deliberated.cluster, deliberated.decision)) {
    if (!contains(facts, fact)) continue;
    (material.facts[fact].source >= Source::user ? persons : deliberated.failed).push_back(fact);
  }
  if (persons.empty()) return;
  Cluster rest = rest_of(deliberated.cluster, deliberated.decision, persons);
  Decision kept = builtin_decision(material, rest);
  for (Operation& operation : kept.operations) {
    operation.is_as_it_was_said = operation.kind == Kind::add;
    if (operation.is_as_it_was_said) operation.against = refused_target(deliberated, operation.facts.front());
    deliberated.decision.operations.push_back(std::move(operation));
  }
}

// An answer that is none is asked for once more, with the reason.
Result<Decision> Deliberation::ask(ModelRequest request, const Cluster& cluster) {
  const auto answer = TRY(account_.ask(request, stop_));
  auto decision = parse_decision(answer.text, material_, cluster);
  if (decision) return decision;
  account_.reject(request);
  request.instructions += "\nYour last answer could not be used: " + decision.error().message + ".\n";
  const auto second = TRY(account_.ask(request, stop_));
  decision = parse_decision(second.text, material_, cluster);
  if (!decision) account_.reject(request);
  return decision;
}

void Deliberation::decide(const std::vector<Cluster>& clusters) {
  Cluster whole = together(clusters);
  const auto decision = ask(decide_request(material_, whole, settings_.today), whole);
  const bool is_unusable = !decision && decision.error().code == ErrorCode::refused;
  if (is_unusable && clusters.size() > 1) {  // a bad one takes few others with it
    const auto middle = clusters.begin() + static_cast<std::ptrdiff_t>(clusters.size() / 2);
    decide({clusters.begin(), middle});
    decide({middle, clusters.end()});
    return;
  }
  Open& open = open_.emplace_back();
  open.result.cluster = std::move(whole);
  if (decision) {
    check(open, *decision);
  } else {
    open.result.failure = decision.error();
  }
}

// Takes what passes, beside what is there already; what does not is refused.
void Deliberation::check(Open& open, const Decision& decision) {
  Decision all = open.result.decision;
  const size_t before = all.operations.size();
  open.result.decided += static_cast<std::int64_t>(decision.operations.size());
  all.operations.insert(all.operations.end(), decision.operations.begin(), decision.operations.end());
  Violations violations = check_operations(all, material_, open.result.cluster);
  for (size_t i = 0; i < before; ++i) violations[i].clear();  // they passed without the others
  refuse(open, all, violations);
  open.result.decision = passed_by(all, violations);
  for (const std::string& why : decision.unreadable) open.reasons.push_back({Operation(), {why}});
}

void Deliberation::refuse(Open& open, const Decision& decision, const Violations& violations) {
  for (size_t i = 0; i < decision.operations.size(); ++i) {
    if (violations[i].empty()) continue;
    const RefusedOperation refused{decision.operations[i], violations[i]};
    open.reasons.push_back(refused);
    open.result.refused.push_back(refused);
  }
}

bool Deliberation::is_full() const {
  size_t operations = 0, characters = 0;
  for (const Open& open : open_) {
    operations += open.result.decision.operations.size();
    for (const Operation& operation : open.result.decision.operations) {
      characters += operation.text.size();
      for (const size_t fact : operation.facts) characters += material_.facts[fact].text.size();
      if (operation.target) characters += material_.entries[*operation.target].text.size();
    }
  }
  return operations >= most_read_operations || characters >= most_read_characters;
}

// Tried twice; what could not be read says why not.
std::optional<Violations> Deliberation::read(const std::vector<OperationToRead>& portion, std::string& why_not) {
  const ModelRequest request = verify_request(portion, material_);
  for (int tries = 0; tries < 2; ++tries) {
    const auto answer = account_.ask(request, stop_);
    auto problems = answer ? parse_problems(answer->text, portion.size()) : std::unexpected(answer.error());
    if (problems) return std::move(*problems);
    why_not = problems.error().message;
    account_.reject(request);
    if (account_.end() || stop_.stop_requested()) break;
  }
  return std::nullopt;
}

// Shows the model what it has not read yet. What it names is refused; what could not be read is not applied.
void Deliberation::read_what_is_new() {
  std::vector<OperationToRead> all;
  std::vector<Violations> found;
  for (const Open& open : open_) {
    found.emplace_back(open.result.decision.operations.size());
    if (!settings_.verify) continue;
    for (const OperationToRead& one : operations_to_read(open.result.decision, material_))
      if (one.operation >= open.known) all.push_back(one);
  }
  const auto place_of = [&](const OperationToRead& one) {
    return static_cast<size_t>(std::ranges::find(open_, one.decision, [](const Open& open) { return &open.result.decision; }) -
                               open_.begin());
  };
  for (const auto& portion : portions_to_read(all, material_)) {
    std::string why_not;
    const auto problems = read(portion, why_not);
    for (size_t i = 0; i < portion.size(); ++i) {
      const size_t place = place_of(portion[i]);
      if (problems) {
        found[place][portion[i].operation] = (*problems)[i];
      } else {
        open_[place].result.failure = Error{ErrorCode::remote, "what was decided could not be read a second time: " + why_not,
                                            "nothing that was not read was applied; it is decided again in the next run"};
      }
    }
  }
  for (size_t i = 0; i < open_.size(); ++i) {
    Open& open = open_[i];
    Decision& decision = open.result.decision;
    if (open.result.failure) {
      decision.operations.resize(std::min(open.known, decision.operations.size()));
      continue;
    }
    refuse_dependents(decision, found[i]);
    refuse(open, decision, found[i]);
    decision = passed_by(decision, found[i]);
    open.known = decision.operations.size();
  }
}

std::vector<std::vector<size_t>> Deliberation::portions_to_mend() const {
  constexpr size_t most_facts = 25;
  std::vector<std::vector<size_t>> portions;
  size_t facts = 0;
  for (size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].again.empty()) continue;
    if (portions.empty() || facts + open_[i].again.size() > most_facts) {
      portions.emplace_back();
      facts = 0;
    }
    portions.back().push_back(i);
    facts += open_[i].again.size();
  }
  return portions;
}

void Deliberation::mend_together(const std::vector<size_t>& portion) {
  Cluster together;
  std::vector<Cluster> own(open_.size());
  std::vector<RefusedOperation> reasons;
  for (const size_t i : portion) {
    own[i] = rest_of(open_[i].result.cluster, open_[i].result.decision, open_[i].again);
    add_once(together.facts, own[i].facts);
    add_once(together.writable, own[i].writable);
    for (RefusedOperation& one : open_[i].reasons) reasons.push_back(std::move(one));
    open_[i].reasons.clear();
  }
  for (const size_t i : portion)
    for (const size_t entry : own[i].shown)
      if (!contains(together.writable, entry)) add_once(together.shown, {entry});
  for (auto* list : {&together.facts, &together.writable, &together.shown}) std::ranges::sort(*list);
  const auto decision = ask(mend_request(material_, together, reasons, settings_.today), together);
  for (const size_t i : portion) {
    if (!decision) {
      open_[i].result.failure = decision.error();  // these facts stay pending, and nothing counts against them
      continue;
    }
    Decision mine;
    for (const Operation& operation : decision->operations)
      if (is_within(operation, own[i]) && (!operation.facts.empty() || operation.kind == Kind::remove))
        mine.operations.push_back(operation);
    check(open_[i], mine);
  }
}

std::vector<Deliberated> Deliberation::conclude() {
  read_what_is_new();
  for (Open& open : open_)
    if (!open.result.failure) open.again = unsettled(open.result.cluster, open.result.decision);
  const auto portions = portions_to_mend();
  for (const auto& portion : portions) mend_together(portion);
  if (!portions.empty()) read_what_is_new();
  std::vector<Deliberated> results;
  for (Open& open : open_) {
    if (!open.result.failure) keep_word_for_word(open.result, open.again, material_);
    results.push_back(std::move(open.result));
  }
  open_.clear();
  return results;
}

}  // namespace loci
