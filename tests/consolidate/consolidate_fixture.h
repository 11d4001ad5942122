// A vault with facts and consolidated entries, on which decisions made by hand are carried out.
#pragma once

#include <map>
#include <optional>

#include "base/id.h"
#include "consolidate/decide/operations.h"
#include "consolidate/decide/plan.h"
#include "consolidate/runs/store.h"
#include "memory/add.h"
#include "memory/vault_logs.h"
#include "parser/text_hash.h"
#include "parser/writer.h"
#include "tests/memory/memory_fixture.h"

namespace loci {

class ConsolidateTest : public MemoryTest {
 protected:
  static constexpr const char* file = "consolidated/memory.md";

  ConsolidateTest() { memory.emplace(open()); }

  // --- what is there ---

  // Appends a fact; its id.
  std::string say(const std::string& text, Source source = Source::agent, const std::string& corrects = {}) {
    NewEntry fact;
    fact.metadata.source = source;
    fact.metadata.corrects = corrects;
    fact.text = text;
    const auto added = add(*memory, {fact});
    if (!added) ADD_FAILURE() << added.error().message;
    clock.advance(std::chrono::seconds(1));
    return added ? added->entries.front().id : std::string();
  }

  Material material() {
    EXPECT_TRUE(memory->bring_up_to_date());
    auto read = read_material(*memory);
    if (!read) ADD_FAILURE() << read.error().message;
    return read ? *read : Material{};
  }

  static Cluster everything(const Material& material) {
    Cluster cluster;
    for (size_t i = 0; i < material.facts.size(); ++i) cluster.facts.push_back(i);
    for (size_t i = 0; i < material.entries.size(); ++i)
      (material.entries[i].writable ? cluster.writable : cluster.shown).push_back(i);
    return cluster;
  }

  static size_t fact_saying(const Material& material, const std::string& text) {
    const auto found = std::ranges::find(material.facts, text, &Fact::text);
    if (found == material.facts.end()) ADD_FAILURE() << "no pending fact says " << text;
    return static_cast<size_t>(found - material.facts.begin());
  }
  static size_t entry_saying(const Material& material, const std::string& text) {
    const auto found = std::ranges::find(material.entries, text, &DurableEntry::text);
    if (found == material.entries.end()) ADD_FAILURE() << "no entry says " << text;
    return static_cast<size_t>(found - material.entries.begin());
  }

  // --- decisions, by the texts that they are about ---

  using Words = std::vector<std::string>;

  static std::vector<size_t> numbers_of(const Material& material, const Words& facts) {
    std::vector<size_t> numbers;
    for (const std::string& text : facts) numbers.push_back(fact_saying(material, text));
    std::ranges::sort(numbers);
    return numbers;
  }
  static Operation to_add(const Material& material, const Words& facts, const std::string& text) {
    Operation operation;
    operation.kind = Operation::Kind::add;
    operation.facts = numbers_of(material, facts);
    operation.text = text;
    return operation;
  }
  static Operation to_replace(const Material& material, const std::string& target, const Words& facts, const std::string& text,
                              bool is_correction = false) {
    Operation operation = to_add(material, facts, text);
    operation.kind = Operation::Kind::replace;
    operation.target = entry_saying(material, target);
    operation.is_correction = is_correction;
    return operation;
  }
  static Operation to_remove(const Material& material, const std::string& target, const std::string& into) {
    Operation operation;
    operation.kind = Operation::Kind::remove;
    operation.target = entry_saying(material, target);
    operation.into = entry_saying(material, into);
    return operation;
  }
  static Operation same_as_entry(const Material& material, const Words& facts, const std::string& entry) {
    Operation operation;
    operation.kind = Operation::Kind::duplicate;
    operation.facts = numbers_of(material, facts);
    operation.same_as_entry = entry_saying(material, entry);
    return operation;
  }
  static Operation same_as_fact(const Material& material, const Words& facts, const std::string& fact) {
    Operation operation;
    operation.kind = Operation::Kind::duplicate;
    operation.facts = numbers_of(material, facts);
    operation.same_as_fact = fact_saying(material, fact);
    return operation;
  }
  static Operation to_ignore(const Material& material, const Words& facts) {
    Operation operation;
    operation.kind = Operation::Kind::ignore;
    operation.facts = numbers_of(material, facts);
    operation.why = "small talk";
    return operation;
  }

  // --- runs ---

  RunRecord start() {
    const auto identity = new_run(memory->vault()).value();
    RunRecord record;
    record.run = identity.run;
    record.at = identity.at;
    record.generation = identity.generation;
    record.kind = "consolidate";
    record.model = "builtin";
    return record;
  }
  static RunIdentity identity_of(const RunRecord& record) { return {record.run, record.generation, record.at}; }

  void finish(RunRecord& record) {
    record.ended = clock.now();
    record.outcome = "done";
    EXPECT_TRUE(write_run(memory->vault(), record));
    clock.advance(std::chrono::seconds(1));
  }

  Status carry_out_decision(const Material& material, std::vector<Operation> operations, RunRecord& record) {
    const Plan plan = make_plan(Decision{std::move(operations)}, material, everything(material), identity_of(record));
    record.clusters.emplace_back();
    return apply_plan(*memory, plan, record);
  }

  // One run that does this; its id.
  using Decide = std::function<std::vector<Operation>(const Material&)>;
  std::string run(const Decide& decide) {
    RunRecord record = start();
    const Material before = material();
    const auto done = carry_out_decision(before, decide(before), record);
    EXPECT_TRUE(done) << done.error().message;
    finish(record);
    return record.run;
  }

  // Every pending fact becomes an entry with its words; equal ones become one.
  static std::vector<Operation> add_all(const Material& material) {
    std::vector<Operation> operations;
    std::map<std::string, size_t> first;
    for (size_t i = 0; i < material.facts.size(); ++i) {
      const Fact& fact = material.facts[i];
      Operation operation;
      operation.facts = {i};
      const auto entry = std::ranges::find(material.entries, fact.hash, &DurableEntry::hash);
      const auto [known, is_first] = first.emplace(fact.hash, i);
      if (entry != material.entries.end()) {
        operation.kind = Operation::Kind::duplicate;
        operation.same_as_entry = static_cast<size_t>(entry - material.entries.begin());
      } else if (!is_first) {
        operation.kind = Operation::Kind::duplicate;
        operation.same_as_fact = known->second;
      } else {
        operation.text = fact.text;
      }
      operations.push_back(std::move(operation));
    }
    return operations;
  }
  std::string run_builtin() { return run(add_all); }

  // --- what came of it ---

  std::vector<Entry> entries(bool inactive = false) {
    EXPECT_TRUE(memory->bring_up_to_date());
    EntryFilter filter;
    filter.inactive = inactive;
    std::vector<Entry> found = memory->reader().value()->list(filter, 100'000).value();
    std::erase_if(found, [](const Entry& entry) { return entry.place != Place::consolidated; });
    return found;
  }
  Texts durable_texts() {
    Texts all;
    for (const Entry& entry : entries()) all.push_back(entry.text);
    std::ranges::sort(all);
    return all;
  }
  Entry entry_with(const std::string& text) {
    for (Entry& entry : entries())
      if (entry.text == text) return entry;
    ADD_FAILURE() << "no entry says " << text;
    return {};
  }
  FactCounts counts() {
    EXPECT_TRUE(memory->bring_up_to_date());
    return memory->reader().value()->facts();
  }
  Texts pending_texts() {
    EXPECT_TRUE(memory->bring_up_to_date());
    Texts all;
    const auto pending = memory->reader().value()->pending_facts().value();
    for (const auto& fact : pending) all.push_back(fact.entry.text);
    std::ranges::sort(all);
    return all;
  }
  std::vector<LedgerEntry> ledger() { return read_logs(memory->vault()).value().ledger; }

  // An entry as loci writes it.
  static std::string written(const std::string& id, const std::string& text, const std::vector<std::string>& from = {},
                             Source source = Source::agent) {
    Metadata metadata;
    metadata.id = id;
    metadata.source = source;
    metadata.from = from;
    return write_entry(metadata, text).value() + "\n";
  }

  std::optional<Memory> memory;
};

}  // namespace loci
