#include "vault/changes/overruled_steps.h"

#include <algorithm>
#include <set>

#include "parser/parser.h"
#include "vault/changes/file_transaction.h"

namespace loci {
namespace {

using Ids = std::set<std::string>;

// Of an entry, or of a line that shows one.
struct Named {
  Ids ids, facts;  // facts: that it rests on
};

Named named_in(const std::string& markdown) {
  Named named;
  for (const ParsedEntry& entry : parse(markdown).entries) {
    named.ids.insert(entry.id);
    if (!entry.metadata) continue;
    if (!entry.metadata->ref.empty()) named.ids.insert(entry.metadata->ref);
    named.facts.insert(entry.metadata->from.begin(), entry.metadata->from.end());
  }
  return named;
}

Ids without(Ids ids, const Ids& others) {
  std::erase_if(ids, [&](const std::string& id) { return others.contains(id); });
  return ids;
}

}  // namespace

Result<OverruledSteps> OverruledSteps::of(const Vault& vault, const FileTransaction& transaction) {
  auto chronicle = TRY(Chronicle::read(vault));
  return OverruledSteps(std::move(chronicle), transaction);
}

OverruledSteps::OverruledSteps(Chronicle chronicle, const FileTransaction& transaction) : chronicle_(std::move(chronicle)) {
  for (const Tombstone& tombstone : transaction.tombstones)
    if (tombstone.reason != Tombstone::Reason::demoted) own_[tombstone.id] = &tombstone;
  for (const Tombstone& tombstone : transaction.tombstones) told_ = std::max(told_, tombstone.at);
  for (const LedgerEntry& line : transaction.ledger) told_ = std::max(told_, line.at);
  if (transaction.promotion) told_ = std::max(told_, transaction.promotion->at);
}

bool OverruledSteps::contains(const EntryStep& step) const {
  const Named from = named_in(step.from), to = named_in(step.to);
  const auto ended = [&](const std::string& id) { return has_ended(id); };
  const auto back = [&](const std::string& id) { return stands_again(id); };
  if (std::ranges::any_of(to.ids, ended) || std::ranges::any_of(without(from.ids, to.ids), back)) return true;
  // One that goes does so with its facts; one that was rewritten was to rest on others.
  return !step.to.empty() && std::ranges::any_of(without(from.facts, to.facts), back);
}

bool OverruledSteps::has_ended(const std::string& id) const {
  const Tombstone* latest = latest_but_own(id);
  return latest && removes(*latest);
}

bool OverruledSteps::stands_again(const std::string& id) const {
  const Tombstone* latest = latest_but_own(id);
  return latest && !removes(*latest) && (own(id) || latest->at > told_);
}

const Tombstone* OverruledSteps::own(const std::string& id) const {
  const auto known = own_.find(id);
  return known == own_.end() ? nullptr : known->second;
}

// None if the transaction's is the latest.
const Tombstone* OverruledSteps::latest_but_own(const std::string& id) const {
  const Tombstone* latest = chronicle_.tombstone_of(id);
  const Tombstone* told = own(id);
  return latest && told && told->at >= latest->at ? nullptr : latest;
}

}  // namespace loci
