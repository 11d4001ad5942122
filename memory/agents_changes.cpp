#include "memory/agents_changes.h"

#include <algorithm>
#include <set>

#include "memory/removal.h"
#include "memory/removed_entries.h"
#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

constexpr size_t always_allowed = 3;
constexpr std::string_view by_agent = "agent";

path seen_file(const Vault& vault) { return vault.state_folder() / "agents-changes-seen"; }

Result<Instant> seen_until(const Vault& vault) {
  const auto bytes = TRY(read_file_if_any(vault.files(), seen_file(vault)));
  return parse_time(bytes.value_or("")).value_or(Instant{});
}

// As it stood: in the index, where the archive or a note still has it, else the copy that was kept.
Result<std::optional<Entry>> entry_before(Memory& memory, const std::string& id) {
  auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
  if (!found.empty() && found.front().id == id && !found.front().active) return std::move(found.front());
  const auto removed = TRY(find_removed_entry(memory.vault(), id));
  return removed ? std::optional(entry_of(*removed)) : std::nullopt;
}

bool is_a_persons(const Entry& entry) { return entry.source >= Source::user; }

// What a person ended themselves is theirs to say no more; what an agent ended with this one counts.
bool still_counts(const Chronicle& chronicle, const Entry& entry) {
  const Tombstone* end = entry.active ? nullptr : chronicle.tombstone_of(entry.id);
  return entry.active || (end && removes(*end) && end->by == by_agent);
}

// A person's entry, or one that says word for word what a person said, whoever wrote it down there.
Result<bool> says_a_persons_words(Memory& memory, const Chronicle& chronicle, const Entry& entry) {
  if (is_a_persons(entry)) return true;
  if (entry.text.empty()) return false;
  const std::string loose = loose_text_hash(entry.text);
  const auto same = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_text(entry.hash, loose); }));
  return std::ranges::any_of(
      same, [&](const Entry& other) { return other.id != entry.id && is_a_persons(other) && still_counts(chronicle, other); });
}

// What took its place says the very same, where that is still known.
Result<bool> words_stay(Memory& memory, const Entry& before, const std::string& superseded_by) {
  if (superseded_by.empty()) return false;
  const auto after = TRY(entry_with_id(memory, superseded_by));
  return after && after->hash == before.hash;
}

// What an agent did, before the words "what you said".
std::string what_was_done(const AgentsChange& change) {
  if (change.superseded_by.empty()) return "removed";
  return change.words_stay ? "gave other tags to" : "replaced by '" + change.superseded_by + "'";
}

// How many commands of agents that was: the tombstones of one have one time.
size_t count_commands(const std::vector<AgentsChange>& changes, Instant since) {
  std::set<Instant> commands;
  for (const AgentsChange& change : changes)
    if (change.at > since) commands.insert(change.at);
  return commands.size();
}

}  // namespace

Result<std::vector<AgentsChange>> unseen_agents_changes(Memory& memory) {
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  const Instant seen = TRY(seen_until(memory.vault()));
  std::vector<AgentsChange> changes;
  std::set<std::pair<Instant, std::string>> said;  // an entry and the fact that it was made of may say the same
  for (const Tombstone& tombstone : chronicle.logs().tombstones) {
    if (tombstone.by != by_agent || !removes(tombstone) || tombstone.at <= seen) continue;
    if (chronicle.tombstone_of(tombstone.id) != &tombstone) continue;
    const auto before = TRY(entry_before(memory, tombstone.id));
    if (!before || !TRY(says_a_persons_words(memory, chronicle, *before))) continue;
    if (!said.emplace(tombstone.at, loose_text_hash(before->text)).second) continue;
    const std::string file = before->places.empty() ? std::string() : before->places.front().file;
    const bool same_words = TRY(words_stay(memory, *before, tombstone.superseded_by));
    changes.push_back({tombstone.at, tombstone.id, file, before->text, tombstone.superseded_by, same_words});
  }
  return changes;
}

std::vector<Problem> problems_of(const std::vector<AgentsChange>& changes) {
  std::vector<Problem> problems;
  for (const AgentsChange& change : changes) {
    problems.push_back({change.file,
                        0,
                        "changed-by-agent",
                        "an agent " + what_was_done(change) + " what you said: \"" + change.before + "\"; 'loci restore " +
                            change.id + "' takes it back, 'loci status --seen' lists it no more",
                        {change.id}});
  }
  return problems;
}

Result<size_t> mark_agents_changes_seen(Memory& memory) {
  const auto changes = TRY(unseen_agents_changes(memory));
  if (changes.empty()) return 0;
  // A clock that went back must not leave one unseen.
  const Instant until = std::max(memory.now(), changes.back().at);
  TRY(make_folders(memory.vault().files(), memory.vault().state_folder()));
  TRY(write_file(memory.vault().files(), seen_file(memory.vault()), format_rfc3339(until)));
  return changes.size();
}

Status check_agent_alone_said_it(Memory& memory, const Entry& entry) {
  if (entry.place != Place::consolidated) return {};
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  const std::string loose = loose_text_hash(entry.text);
  bool is_an_agents = !is_a_persons(entry), is_a_persons_too = false;
  for (const std::string& id : TRY(facts_of_entry(memory, chronicle, entry))) {
    const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
    if (found.empty() || found.front().id != id || !found.front().active) continue;
    if (loose_text_hash(found.front().text) != loose) continue;
    (is_a_persons(found.front()) ? is_a_persons_too : is_an_agents) = true;
  }
  if (!is_an_agents || !is_a_persons_too) return {};
  return fail(ErrorCode::refused,
              "'" + entry.id + "' is not an agent's alone: the user said the same, and both were folded into one entry",
              "if the user says otherwise now, update it with the user's words as `quote`, or add what they say; only the user "
              "removes it ('loci forget " +
                  entry.id + "')");
}

Status check_agents_changes(Memory& memory, const Entry& entry) {
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  if (!TRY(says_a_persons_words(memory, chronicle, entry))) return {};
  const size_t today = count_commands(TRY(unseen_agents_changes(memory)), memory.now() - std::chrono::days(1));
  if (today < always_allowed) return {};
  EntryFilter filter;
  filter.sources = {Source::user, Source::correction};
  filter.layers = {Layer::L0, Layer::L1};
  constexpr size_t most = 1'000'000;
  const auto standing = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, most); }));
  const size_t all = standing.size() + today;
  if ((today + 1) * 10 <= all) return {};
  return fail(ErrorCode::refused,
              "agents changed " + std::to_string(today) + " of " + std::to_string(all) +
                  " entries of yours within a day: one more waits until you have looked",
              "'loci status' lists them, 'loci restore' takes one back, 'loci status --seen' lets agents go on");
}

}  // namespace loci
