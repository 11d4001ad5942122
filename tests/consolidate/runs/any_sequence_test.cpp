// Whatever happens to a memory, in whatever order: no fact vanishes, nothing stands twice, and the archive only grows.
#include <cstdlib>
#include <random>
#include <set>

#include "consolidate/runs/undo.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/restore.h"
#include "parser/parser.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

constexpr size_t steps_of_a_memory = 100;

// With $LOCI_TEST_SCALE=10, which the soak sets, 10,000 steps in all.
unsigned memories() {
  const char* scale = std::getenv("LOCI_TEST_SCALE");
  const auto times = scale ? static_cast<unsigned>(std::strtoul(scale, nullptr, 10)) : 1U;
  return std::max(times * times, 1U);
}

class AnySequenceTest : public ConsolidateTest {
 protected:
  using Kind = Operation::Kind;

  size_t any(size_t below) { return std::uniform_int_distribution<size_t>(0, below - 1)(random_); }
  bool one_in(size_t times) { return any(times) == 0; }

  template <typename Value>
  const Value& any_of(const std::vector<Value>& values) {
    return values[any(values.size())];
  }

  std::string any_text() {
    static const std::vector<std::string> who{"Anna", "The team", "Jon"}, does{"likes", "avoids", "owns"},
        what{"tea", "coffee", "the build", "Fridays", "a dog"};
    return any_of(who) + ' ' + any_of(does) + ' ' + any_of(what) + '.';
  }

  void start_anew(unsigned seed) {
    memory.reset();
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
    std::filesystem::create_directories(folder / "vault");
    clock = ManualClock();
    memory.emplace(open());
    random_.seed(20'261'122 + seed);
    runs_.clear();
    facts_ = 0;
  }

  // --- what people and agents do ---

  void say_something() {
    say(any_text(), any_of(std::vector{Source::agent, Source::user, Source::correction, Source::system}));
    ++facts_;
  }

  // In an editor; the archive may then differ from what it was.
  void edit_text_in(const std::string& name) {
    if (!folder.has("vault/" + name)) return;
    const std::string bytes = read(name);
    std::vector<ParsedEntry> entries = parse(bytes).entries;
    std::erase_if(entries, [](const ParsedEntry& entry) { return !entry.metadata || entry.metadata->end; });
    if (entries.empty()) return;
    const ParsedEntry& entry = any_of(entries);
    const size_t text = bytes.find('\n', entry.begin) + 1;
    write(name, bytes.substr(0, text) + any_text() + '\n' + bytes.substr(entry.end));
  }

  std::vector<Entry> all_entries() {
    EntryFilter filter;
    filter.inactive = true;
    return memory->reader().value()->list(filter, 100'000).value();
  }

  void forget_something() {
    std::vector<Entry> entries = all_entries();
    std::erase_if(entries, [](const Entry& entry) { return !entry.active; });
    if (entries.empty()) return;
    EXPECT_TRUE(forget(*memory, {any_of(entries).id}, {}));
  }

  void restore_something() {
    const auto tombstones = read_logs(memory->vault()).value().tombstones;
    if (!tombstones.empty()) (void)restore(*memory, any_of(tombstones).id);  // it may count already, or stand nowhere
  }

  void correct_something() {
    const std::vector<Entry> entries = this->entries();
    if (entries.empty()) return;
    if (correct(*memory, any_of(entries).id, any_text())) ++facts_;
  }

  // --- runs ---

  void begin_run(RunRecord& record) {
    const auto settled = settle_unfinished(*memory);
    ASSERT_TRUE(settled) << settled.error().message;
    record = start();
    const auto filed = file_edited_entries(*memory, identity_of(record), record);
    ASSERT_TRUE(filed) << filed.error().message;
    expect_more_facts();  // the edits, but for those that were appended already
  }

  // What check_operations() would let through, were the texts meant.
  std::vector<Operation> any_decision(const Material& material) {
    std::vector<Operation> operations;
    std::vector<size_t> free(material.entries.size()), added;
    for (size_t i = 0; i < free.size(); ++i) free[i] = i;
    std::ranges::shuffle(free, random_);
    for (size_t fact = 0; fact < material.facts.size(); ++fact) {
      Operation operation;
      operation.facts = {fact};
      operation.text = material.facts[fact].text;
      switch (any(6)) {
        case 0:
          continue;  // left out
        case 1:
          operation.kind = Kind::ignore;
          break;
        case 2:
          if (added.empty()) continue;
          operation.kind = Kind::duplicate;
          operation.same_as_fact = any_of(added);
          break;
        case 3:
          if (material.entries.empty()) continue;
          operation.kind = Kind::duplicate;
          operation.same_as_entry = any(material.entries.size());
          for (const Operation& other : operations)
            if (other.kind == Kind::remove && other.target == operation.same_as_entry) operation.same_as_entry = other.into;
          break;
        case 4:
          if (free.empty()) continue;
          operation.kind = Kind::replace;
          operation.target = free.back();
          operation.is_correction = material.facts[fact].source == Source::correction && one_in(2);
          free.pop_back();
          if (!operation.is_correction) operation.text += " Previously: " + material.entries[*operation.target].text;
          operation.text.resize(std::min<size_t>(operation.text.size(), 500));
          if (!free.empty() && one_in(3)) {
            Operation merge;
            merge.kind = Kind::remove;
            merge.target = free.back();
            merge.into = operation.target;
            free.pop_back();
            operations.push_back(merge);
          }
          break;
        default:
          added.push_back(fact);
      }
      operations.push_back(std::move(operation));
    }
    return operations;
  }

  void run_any() {
    RunRecord record;
    begin_run(record);
    const Material all = material();
    const auto done = carry_out_decision(all, one_in(2) ? any_decision(all) : add_all(all), record);
    ASSERT_TRUE(done) << done.error().message;
    expect_more_facts();  // texts that were never said may have become some
    finish(record);
    runs_.push_back(record.run);
    expect_that_settled_facts_stand_somewhere();
  }

  void undo_any() {
    if (runs_.empty()) return;
    const auto undone = undo_run(*memory, any_of(runs_));
    if (!undone) {
      EXPECT_EQ(undone.error().code, ErrorCode::refused) << undone.error().message;
    }
  }

  void rebuild() {
    RunRecord record;
    begin_run(record);
    const auto all = read_rebuild_material(*memory);
    ASSERT_TRUE(all) << all.error().message;
    record.kind = "rebuild";
    record.generation = all->next_generation;
    Plan plan = make_plan(Decision{add_all(all->material)}, all->material, everything(all->material), identity_of(record));
    settle_overruled(plan, all->material, all->overruled, identity_of(record));
    record.clusters.emplace_back();
    const auto done = apply_rebuild(*memory, plan, record);
    ASSERT_TRUE(done) << done.error().message;
    finish(record);
    runs_.push_back(record.run);
    std::set<std::string> said;
    for (const Fact& fact : all->material.facts) said.insert(fact.text);
    for (const DurableEntry& entry : all->material.entries) said.insert(entry.text);
    const Texts durable = durable_texts();
    EXPECT_EQ(Texts(said.begin(), said.end()), durable);
    EXPECT_EQ(counts().pending, 0);
    expect_that_settled_facts_stand_somewhere();
  }

  // --- what must hold ---

  void expect_more_facts() {
    const std::int64_t total = counts().total;
    EXPECT_GE(total, facts_);
    facts_ = total;
  }

  // What is settled is either said by an entry that counts, or was settled without one; where a correction ended an entry by one of
  // its facts, once the next run has begun.
  void expect_that_settled_facts_stand_somewhere() {
    EXPECT_TRUE(memory->bring_up_to_date());
    EXPECT_TRUE(settle_unfinished(*memory));
    std::set<std::string> held, standing;
    const std::vector<Entry> all = all_entries();
    for (const Entry& entry : all)
      if (entry.place == Place::consolidated && entry.active) {
        held.insert(entry.from.begin(), entry.from.end());
        standing.insert(entry.id);
      }
    const std::vector<std::string> ended = material().ended;
    std::map<std::string, LedgerEntry> latest;
    for (const LedgerEntry& line : ledger()) latest[line.fact + line.fact_hash] = line;
    for (const Entry& entry : all) {
      if (entry.place != Place::archive || !entry.active || entry.pending || held.contains(entry.id)) continue;
      if (std::ranges::binary_search(ended, entry.id)) continue;  // a new text under the id of one that was deleted
      const LedgerEntry& line = latest[entry.id + entry.hash];
      // What rests on no fact is not written by a rebuild: its duplicates do not join it.
      const bool is_duplicate = line.outcome == LedgerEntry::Outcome::duplicate && standing.contains(line.entry);
      EXPECT_TRUE(line.entry.empty() || is_duplicate)
          << entry.id << " (" << entry.text << ") was settled by " << name_of(line.outcome) << " into " << line.entry << " "
          << line.into << ", which does not hold it";
    }
  }

  void expect_that_all_is_accounted_for() {
    const FactCounts facts = counts();
    EXPECT_EQ(facts.total, facts.pending + facts.settled + facts.deleted);
    EXPECT_EQ(facts.total, facts_);
    std::set<std::string> ids;
    for (const auto& [name, bytes] : folder.contents("vault/consolidated")) {
      for (const ParsedEntry& entry : parse(bytes).entries) {
        if (!entry.metadata) continue;
        EXPECT_TRUE(ids.insert(entry.id).second) << entry.id << " stands twice";
      }
      EXPECT_TRUE(parse(bytes).problems.empty()) << bytes;
    }
  }

  void expect_that_the_archive_grew(const std::map<std::string, std::string>& before) {
    const auto after = folder.contents("vault/archive");
    for (const auto& [name, bytes] : before) EXPECT_TRUE(after.at(name).starts_with(bytes)) << name;
  }

  void step() {
    EXPECT_TRUE(memory->bring_up_to_date());
    const auto archive = folder.has("vault/archive") ? folder.contents("vault/archive") : std::map<std::string, std::string>{};
    bool by_a_person = false;
    const size_t what = any(20);
    SCOPED_TRACE("operation " + std::to_string(what));
    if (what < 8) say_something();
    if (what == 8) edit_text_in("archive/2026-11-21.md");
    if (what == 9) edit_text_in(file);
    by_a_person = what == 8;
    if (what == 10) forget_something();
    if (what == 11) restore_something();
    if (what == 12) correct_something();
    if (what >= 13 && what < 17) run_any();
    if (what == 17 || what == 18) undo_any();
    if (what == 19 && one_in(2)) rebuild();
    if (!by_a_person) expect_that_the_archive_grew(archive);
    expect_that_all_is_accounted_for();
    clock.advance(std::chrono::minutes(any(600)));
  }

  std::mt19937 random_;
  std::vector<std::string> runs_;
  std::int64_t facts_ = 0;
};

TEST_F(AnySequenceTest, NoFactVanishesAndNothingStandsTwice) {
  for (unsigned seed = 0; seed < memories(); ++seed) {
    SCOPED_TRACE("memory " + std::to_string(seed));
    start_anew(seed);
    for (size_t i = 0; i < steps_of_a_memory; ++i) {
      SCOPED_TRACE("step " + std::to_string(i));
      step();
      if (HasFailure()) return;
    }
    rebuild();
  }
}

}  // namespace
}  // namespace loci
