#include "indexer/log_tables.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "indexer/entry_store.h"
#include "indexer/file_times.h"
#include "indexer/problem_blob.h"
#include "parser/text_hash.h"
#include "vault/logs/host_log.h"

namespace loci {
namespace {

constexpr std::string_view tombstone_folder = ".loci/tombstones/";

Instant instant_of(std::int64_t milliseconds) { return Instant(std::chrono::milliseconds(milliseconds)); }

Tombstone tombstone_of(const Query& row) {
  Tombstone tombstone;
  tombstone.at = instant_of(row.integer(0));
  tombstone.id = row.text(1);
  tombstone.text_hash = row.text(2);
  tombstone.reason = static_cast<Tombstone::Reason>(row.integer(3));
  tombstone.superseded_by = row.text(4);
  tombstone.loose = row.text(5);
  tombstone.by = row.text(6);
  return tombstone;
}

// A line without a loose hash is of a text that nobody knew; if it had no marks, the text hash is its loose one.
const std::string& loose_key(const Tombstone& tombstone) { return tombstone.loose.empty() ? tombstone.text_hash : tombstone.loose; }

void list_folder(const Vault& vault, std::string_view folder, std::vector<FileState>& out) {
  const auto logs = HostLog(vault, folder).paths();
  for (const std::string& log : logs.value_or(std::vector<std::string>())) {
    struct stat info{};
    if (::lstat(vault.file(log).c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    out.push_back({.path = log,
                   .size = static_cast<std::uint64_t>(info.st_size),
                   .mtime_ns = info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec,
                   .ctime_ns = info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec,
                   .inode = info.st_ino});
  }
}

// A log that can't be reached, or has something else in its place, still counts as it was last read: what was forgotten must not
// come back because of a wrong mode. The sweep reports it.
bool is_gone(const Vault& vault, const FileState& log, const std::vector<FileState>& present) {
  if (std::ranges::find(present, log.path, &FileState::path) != present.end()) return false;
  const auto bytes = read_host_log(vault, log.path);
  return !bytes && bytes.error().code == ErrorCode::not_found;
}

}  // namespace

struct LogTables::KnownLog {
  std::int64_t log = 0;
  FileState state;
  std::int64_t indexed_at = 0;
  std::uint64_t length = 0, hash = 0;
  std::int64_t lines = 0;
  bool has_problems = false;

  bool is_same(const FileState& now) const { return looks_unchanged(state, now) && !is_racy(state.mtime_ns, indexed_at); }
};

std::vector<FileState> log_files_of(const Vault& vault) {
  std::vector<FileState> logs;
  for (const char* folder : {"ledger", "tombstones"}) list_folder(vault, folder, logs);
  std::ranges::sort(logs, {}, &FileState::path);
  return logs;
}

std::vector<LogTables::KnownLog> LogTables::known_logs() {
  std::vector<KnownLog> known;
  for (Query row(database_,
                 "SELECT log, path, size, mtime, ctime, inode, indexed_at, length, hash, lines, length(problems) FROM logs ORDER "
                 "BY path");
       row.next();)
    known.push_back({.log = row.integer(0),
                     .state = {.path = std::string(row.text(1)),
                               .size = static_cast<std::uint64_t>(row.integer(2)),
                               .mtime_ns = row.integer(3),
                               .ctime_ns = row.integer(4),
                               .inode = static_cast<std::uint64_t>(row.integer(5))},
                     .indexed_at = row.integer(6),
                     .length = static_cast<std::uint64_t>(row.integer(7)),
                     .hash = static_cast<std::uint64_t>(row.integer(8)),
                     .lines = row.integer(9),
                     .has_problems = row.integer(10) > 0});
  return known;
}

std::vector<std::pair<std::string, bool>> LogTables::stale_logs(const Vault& vault, const std::vector<FileState>& logs) {
  std::vector<std::pair<std::string, bool>> stale;
  const auto known = known_logs();
  for (const auto& log : known)
    if (is_gone(vault, log.state, logs)) stale.emplace_back(log.state.path, false);
  for (const auto& now : logs) {
    const auto log = std::ranges::find(known, now.path, [](const KnownLog& each) { return each.state.path; });
    if (log != known.end() && log->is_same(now)) continue;
    bool same_bytes = false;
    if (log != known.end() && looks_unchanged(log->state, now)) {
      const auto bytes = read_host_log(vault, now.path);
      same_bytes = bytes && bytes->size() == now.size && hash64(std::string_view(*bytes).substr(0, log->length)) == log->hash;
    }
    // Its times may soon be old enough to be believed; until then there is nothing to write down.
    if (same_bytes && is_racy(now.mtime_ns, nanoseconds(vault.clock().now()))) continue;
    stale.emplace_back(now.path, same_bytes);
  }
  return stale;
}

Concerned LogTables::update(const Vault& vault, const std::vector<FileState>& logs) {
  Concerned concerned;
  const auto generation_before = ledger_generation();
  const auto known = known_logs();
  for (const auto& log : known) {
    if (!is_gone(vault, log.state, logs)) continue;
    forget_lines(log.log, concerned);
    run(database_, "DELETE FROM logs WHERE log = ?", log.log);
  }
  for (const auto& log : logs) {
    const auto found = std::ranges::find(known, log.path, [](const KnownLog& each) { return each.state.path; });
    if (found == known.end())
      read_log(vault, log, nullptr, concerned);
    else if (!found->is_same(log))
      read_log(vault, log, &*found, concerned);
  }
  has_tombstones_.reset();
  ledger_generation_.reset();
  if (ledger_generation() != generation_before) {
    add_facts_of(generation_before, concerned);
    add_facts_of(ledger_generation(), concerned);
  }
  // With an id go the words that were deleted with it, and with it they come back.
  for (const auto& id : concerned.ids)
    for (Query row(database_, "SELECT text_hash, loose FROM tombstones WHERE id = ?", id); row.next();)
      for (const int column : {0, 1})
        if (!row.text(column).empty()) concerned.hashes.emplace(row.text(column));
  return concerned;
}

void LogTables::read_log(const Vault& vault, const FileState& log, const KnownLog* known, Concerned& concerned) {
  const auto indexed_at = nanoseconds(vault.clock().now());
  const auto bytes = read_host_log(vault, log.path);
  if (!bytes) {
    const Problem problem{log.path, 0, "unreadable", bytes.error().message};
    // Its lines stay as they were last read; without a stat it is tried again.
    if (known == nullptr) run(database_, "INSERT INTO logs(path, length, hash, lines) VALUES (?, 0, 0, 0)", log.path);
    run(database_, "UPDATE logs SET size = 0, mtime = 0, ctime = 0, inode = 0, indexed_at = 0, problems = ? WHERE path = ?",
        Blob{pack_problems({problem})}, log.path);
    return;
  }
  const bool grew = known != nullptr && !known->has_problems && known->length <= bytes->size() &&
                    hash64(std::string_view(*bytes).substr(0, known->length)) == known->hash;
  if (known != nullptr && !grew) forget_lines(known->log, concerned);
  std::int64_t number = known != nullptr ? known->log : 0;
  if (known == nullptr) {
    run(database_, "INSERT INTO logs(path) VALUES (?)", log.path);
    number = database_.last_row();
  }

  const size_t from = grew ? known->length : 0;
  std::int64_t line = grew ? known->lines : 0;
  const auto host = host_of_log(log.path);
  const auto take = [&](const auto& parsed) {
    for (const auto& entry : parsed.lines) add(number, ++line, host, entry, concerned);
    const auto complete = std::string_view(*bytes).substr(0, parsed.complete_bytes);
    run(database_,
        "UPDATE logs SET size = ?, mtime = ?, ctime = ?, inode = ?, indexed_at = ?, length = ?, hash = ?, lines = ?, problems = ?"
        " WHERE log = ?",
        log.size, log.mtime_ns, log.ctime_ns, log.inode, indexed_at, std::uint64_t{complete.size()}, hash64(complete), line,
        Blob{pack_problems(parsed.problems)}, number);
  };
  if (log.path.starts_with(tombstone_folder))
    take(parse_tombstones(*bytes, log.path, from));
  else
    take(parse_ledger(*bytes, log.path, from));
}

void LogTables::add_facts_of(std::optional<std::int64_t> generation, Concerned& concerned) {
  for (Query row(database_, "SELECT fact FROM ledger WHERE generation = ?", generation); row.next();)
    concerned.ids.emplace(row.text(0));
}

void LogTables::forget_lines(std::int64_t log, Concerned& concerned) {
  for (Query row(database_, "SELECT id, text_hash, loose FROM tombstones WHERE log = ?", log); row.next();) {
    concerned.ids.emplace(row.text(0));
    concerned.homes.emplace(row.text(0));
    for (const int column : {1, 2})
      if (!row.text(column).empty()) concerned.hashes.emplace(row.text(column));
  }
  for (Query row(database_, "SELECT fact, entry FROM ledger WHERE log = ?", log); row.next();) {
    concerned.ids.emplace(row.text(0));
    if (!row.text(1).empty()) concerned.homes.emplace(row.text(1));
  }
  run(database_, "DELETE FROM tombstones WHERE log = ?", log);
  run(database_, "DELETE FROM ledger WHERE log = ?", log);
}

void LogTables::add(std::int64_t log, std::int64_t line, const std::string& host, const Tombstone& tombstone,
                    Concerned& concerned) {
  if (tombstone.reason == Tombstone::Reason::demoted) return;  // settles nothing here
  concerned.ids.insert(tombstone.id);
  concerned.homes.insert(tombstone.id);
  run(database_, "INSERT INTO tombstones VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", log, line, tombstone.at.time_since_epoch().count(),
      host, tombstone.id, tombstone.text_hash, static_cast<int>(tombstone.reason), tombstone.superseded_by, loose_key(tombstone),
      tombstone.by);
}

void LogTables::add(std::int64_t log, std::int64_t line, const std::string& host, const LedgerEntry& entry, Concerned& concerned) {
  concerned.ids.insert(entry.fact);
  if (!building_ && !entry.entry.empty()) concerned.homes.insert(entry.entry);  // it may overrule others there
  run(database_, "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", log, line, entry.at.time_since_epoch().count(), host,
      entry.generation, entry.fact, entry.fact_hash, static_cast<int>(entry.outcome), entry.entry, entry.into);
}

bool LogTables::has_tombstones() {
  if (!has_tombstones_) has_tombstones_ = Query(database_, "SELECT 1 FROM tombstones LIMIT 1").next();
  return *has_tombstones_;
}

std::optional<std::int64_t> LogTables::ledger_generation() {
  if (!ledger_generation_) {
    Query row(database_, "SELECT max(generation) FROM ledger");
    ledger_generation_.emplace();
    if (row.next() && !row.is_null(0)) *ledger_generation_ = row.integer(0);
  }
  return *ledger_generation_;
}

std::optional<Tombstone> LogTables::latest_of(const std::string& id) {
  Query row(database_,
            "SELECT at, id, text_hash, reason, superseded_by, loose, author FROM tombstones WHERE id = ?"
            " ORDER BY at DESC, host DESC, line DESC LIMIT 1",
            id);
  return row.next() ? std::optional(tombstone_of(row)) : std::nullopt;
}

std::optional<Tombstone> LogTables::end_of(const std::string& id) {
  auto tombstone = latest_of(id);
  return tombstone && removes(*tombstone) ? std::move(tombstone) : std::nullopt;
}

std::optional<Tombstone> LogTables::end_of_text(const std::string& hash, const std::string& loose, const TextsThatEnd& which) {
  std::optional<Tombstone> latest;
  for (Query row(database_,
                 "SELECT id FROM tombstones WHERE text_hash = ? AND text_hash <> ''"
                 " UNION SELECT id FROM tombstones WHERE loose = ? AND loose <> '' ORDER BY id",
                 hash, loose);
       row.next();) {
    auto end = end_of(std::string(row.text(0)));
    if (!end || !ends_its_text(*end) || (end->text_hash != hash && end->loose != loose)) continue;
    if (end->reason == Tombstone::Reason::corrected && !which.of_corrections_too) continue;
    if (which.after && end->at <= *which.after) continue;
    if (!latest || end->at > latest->at) latest = std::move(end);
  }
  return latest;
}

LogFindings LogTables::findings(const StoredEntry& entry) {
  LogFindings findings;
  if (has_tombstones()) {
    findings.loose = loose_text_hash(entry.text);
    findings.tombstone = latest_of(entry.id);
    // A correction retires texts that were there before; another correction may say the same and be right. What a person restored
    // outlives whatever had ended its words before.
    TextsThatEnd which{.of_corrections_too = entry.source != Source::correction};
    if (findings.tombstone && !removes(*findings.tombstone)) {
      which.after = findings.tombstone->at;
      findings.tombstone.reset();
    }
    findings.same_text = end_of_text(entry.hash, findings.loose, which);
    for (const auto& id : entry.metadata.from)
      if (!findings.foundation) findings.foundation = end_of(id);
    if (findings.tombstone || findings.foundation) findings.says_standing_fact = says_standing_fact(entry);
  }
  const auto generation = ledger_generation();
  if (!generation || entry.place != Place::archive) return findings;
  // +: not by the index of generations, in which all lines may be one.
  for (Query row(database_,
                 "SELECT outcome, entry FROM ledger WHERE fact = ? AND +generation = ? AND fact_hash = ?"
                 " ORDER BY at DESC, host DESC, line DESC",
                 entry.id, *generation, entry.hash);
       row.next();)
    findings.ledger.push_back({static_cast<LedgerEntry::Outcome>(row.integer(0)), fate_of(std::string(row.text(1)))});
  const auto lost = std::ranges::find(findings.ledger, EntryFate::lost, &LedgerFinding::entry);
  if (lost != findings.ledger.end() && is_overruled(entry.id))
    for (LedgerFinding& line : findings.ledger)
      if (line.entry == EntryFate::lost) line.entry = EntryFate::ended;
  return findings;
}

bool LogTables::says_standing_fact(const StoredEntry& entry) {
  for (Query row(database_, "SELECT DISTINCT fact FROM ledger WHERE entry = ? AND entry <> '' AND fact_hash = ?", entry.id,
                 entry.hash);
       row.next();) {
    const std::string fact(row.text(0));
    if (std::ranges::find(entry.metadata.from, fact) != entry.metadata.from.end() && !end_of(fact)) return true;
  }
  return false;
}

// A person gave an entry that it had gone into, by itself or with an entry that was merged into that one, other words, and those
// were settled there as a fact of their own.
bool LogTables::is_overruled(const std::string& fact) {
  std::map<std::string, std::int64_t> since;  // entry -> when it took the fact in
  std::vector<std::string> open;
  const auto note = [&](std::string_view entry, std::int64_t at) {
    if (!entry.empty() && since.try_emplace(std::string(entry), at).second) open.emplace_back(entry);
  };
  for (Query row(database_, "SELECT entry, merged_into, at FROM ledger WHERE fact = ? ORDER BY at", fact); row.next();)
    for (const int column : {0, 1}) note(row.text(column), row.integer(2));
  while (!open.empty()) {
    const std::string entry = std::move(open.back());
    open.pop_back();
    const std::int64_t at = since[entry];
    if (Query(database_,
              "SELECT 1 FROM labels JOIN entries ON entries.row = labels.row JOIN ledger ON ledger.fact = entries.id"
              " WHERE labels.kind = ? AND labels.label = ? AND entries.id <> ? AND ledger.entry = labels.label AND ledger.at > ?"
              " LIMIT 1",
              static_cast<int>(LabelKind::corrects), entry, fact, at)
            .next())
      return true;
    for (Query row(database_, "SELECT merged_into, max(at) FROM ledger WHERE entry = ? AND merged_into <> '' GROUP BY merged_into",
                   entry);
         row.next();)
      note(row.text(0), std::max(at, row.integer(1)));
  }
  return false;
}

// Merges make chains: what one entry was merged into may itself have been merged into another.
EntryFate LogTables::fate_of(const std::string& entry) {
  if (entry.empty()) return EntryFate::unnamed;
  if (building_) return EntryFate::stands;
  std::vector<std::string> chain{entry};
  for (size_t i = 0; i < chain.size(); ++i) {
    const std::string id = chain[i];
    if (Query(database_, "SELECT 1 FROM entries WHERE id = ?", id).next()) return EntryFate::stands;
    // A text without a comment that is gone was taken out, or typed over: no line of it comes back because a word of it is another.
    if (is_hash_id(id) || (has_tombstones() && end_of(id))) return EntryFate::ended;
    for (Query row(database_,
                   "SELECT DISTINCT merged_into FROM ledger WHERE entry = ? AND entry <> '' AND +generation = ?"
                   " AND merged_into <> '' ORDER BY merged_into",
                   id, ledger_generation());
         row.next();)
      if (std::ranges::find(chain, row.text(0)) == chain.end()) chain.emplace_back(row.text(0));
  }
  return EntryFate::lost;
}

Concerned LogTables::finish_build() {
  building_ = false;
  Concerned concerned;
  for (Query row(database_,
                 "SELECT DISTINCT entry FROM ledger WHERE generation = ? AND entry <> ''"
                 " AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.id = ledger.entry)",
                 ledger_generation());
       row.next();)
    concerned.homes.emplace(row.text(0));
  add_facts_of_homes(concerned);
  return concerned;
}

void LogTables::add_facts_of_homes(Concerned& concerned) {
  if (!ledger_generation()) return;
  std::vector<std::string> open(concerned.homes.begin(), concerned.homes.end());
  while (!open.empty()) {
    const std::string home = std::move(open.back());
    open.pop_back();
    for (Query row(database_, "SELECT fact FROM ledger WHERE entry = ? AND entry <> ''", home); row.next();)
      concerned.ids.emplace(row.text(0));
    for (Query row(database_, "SELECT DISTINCT entry FROM ledger WHERE merged_into = ? AND merged_into <> ''", home); row.next();)
      if (const auto [merged, is_new] = concerned.homes.emplace(row.text(0)); is_new) open.push_back(*merged);
  }
}

std::vector<Problem> LogTables::problems() {
  std::vector<Problem> found;
  for (Query row(database_, "SELECT problems FROM logs ORDER BY path"); row.next();)
    for (auto& problem : unpack_problems(row.blob(0))) found.push_back(std::move(problem));
  return found;
}

}  // namespace loci
