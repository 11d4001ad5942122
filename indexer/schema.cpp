#include "indexer/schema.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "indexer/term_collector.h"

namespace loci {
namespace {

constexpr std::string_view name_prefix = "index.";
constexpr std::string_view name_suffix = ".db";

// A row of `entries` is one entry; the same number is its row in fts and its place in columns. `shelf` is what recent sorts by
// first, see shelf_of(). `at` and `turn` are never NULL, so that they can be compared. A slot is a place where an entry stands:
// chunks of them are in file order, see slots.h; `places` names the files beside entries.file that have the same text, or the same
// id and text. Sections that no entry has any more stay until the next build. files.name is a hash of the path: an index of paths
// would hold each once more.
constexpr const char* tables = R"sql(
CREATE TABLE about(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE VIRTUAL TABLE fts USING fts5(text, context, tokenize='loci', columnsize=0);
CREATE TABLE entries(
  row INTEGER PRIMARY KEY, id TEXT NOT NULL, hash BLOB NOT NULL, content INTEGER NOT NULL, file INTEGER NOT NULL,
  shelf INTEGER NOT NULL, at INTEGER NOT NULL, turn INTEGER NOT NULL, session INTEGER, thread INTEGER, section INTEGER,
  extra BLOB NOT NULL);
CREATE TABLE terms(term TEXT PRIMARY KEY, rows INTEGER NOT NULL, facts INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE sections(section INTEGER PRIMARY KEY, titles BLOB NOT NULL UNIQUE);
CREATE UNIQUE INDEX entries_id ON entries(id);
CREATE TABLE labels(kind INTEGER, label TEXT, row INTEGER, PRIMARY KEY(kind, label, row)) WITHOUT ROWID;
CREATE TABLE places(row INTEGER, file INTEGER, PRIMARY KEY(row, file)) WITHOUT ROWID;
CREATE TABLE contested(id TEXT, file INTEGER, line INTEGER, PRIMARY KEY(id, file, line)) WITHOUT ROWID;
CREATE INDEX contested_file ON contested(file);
CREATE TABLE columns(page INTEGER PRIMARY KEY, records BLOB NOT NULL);
CREATE TABLE sessions(session INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, length INTEGER NOT NULL, entries INTEGER NOT NULL);
CREATE TABLE files(file INTEGER PRIMARY KEY, path TEXT NOT NULL, name INTEGER NOT NULL, state BLOB);
CREATE INDEX files_name ON files(name);
CREATE TABLE file_details(file INTEGER PRIMARY KEY, length INTEGER, hash INTEGER, layout BLOB, points BLOB, problems BLOB);
CREATE TABLE slots(chunk INTEGER PRIMARY KEY, slots BLOB NOT NULL);
CREATE TABLE logs(
  log INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER, mtime INTEGER, ctime INTEGER, inode INTEGER,
  indexed_at INTEGER, length INTEGER, hash INTEGER, lines INTEGER, problems BLOB);
CREATE TABLE tombstones(
  log INTEGER, line INTEGER, at INTEGER, host TEXT, id TEXT, text_hash TEXT, reason INTEGER, superseded_by TEXT,
  loose TEXT, author TEXT, PRIMARY KEY(log, line)) WITHOUT ROWID;
CREATE INDEX tombstones_id ON tombstones(id);
CREATE INDEX tombstones_hash ON tombstones(text_hash) WHERE text_hash <> '';
CREATE INDEX tombstones_loose ON tombstones(loose) WHERE loose <> '';
CREATE TABLE ledger(
  log INTEGER, line INTEGER, at INTEGER, host TEXT, generation INTEGER, fact TEXT, fact_hash TEXT, outcome INTEGER,
  entry TEXT, merged_into TEXT,
  PRIMARY KEY(log, line)) WITHOUT ROWID;
CREATE INDEX ledger_fact ON ledger(fact);
CREATE INDEX ledger_generation ON ledger(generation);
CREATE INDEX ledger_entry ON ledger(entry) WHERE entry <> '';
CREATE INDEX ledger_merged ON ledger(merged_into) WHERE merged_into <> '';
)sql";

// Five bytes of a hash find it among a million; whoever looks compares the rest.
constexpr const char* indexes = R"sql(
CREATE INDEX entries_hash ON entries(substr(hash, 1, 5));
CREATE INDEX entries_recent ON entries(shelf, at, turn, id);
CREATE INDEX entries_session ON entries(session, shelf, at) WHERE session IS NOT NULL;
CREATE INDEX entries_thread ON entries(thread, turn, at, id) WHERE thread IS NOT NULL;
)sql";

std::optional<std::int64_t> generation_of(std::string_view name) {
  if (!name.starts_with(name_prefix) || !name.ends_with(name_suffix)) return std::nullopt;
  name.remove_prefix(name_prefix.size());
  name.remove_suffix(name_suffix.size());
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number <= 0) return std::nullopt;
  return number;
}

std::vector<path> files_of_indexes(const path& state_folder) {
  std::vector<path> found;
  std::error_code error;
  for (std::filesystem::directory_iterator it(state_folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with(name_prefix)) found.push_back(it->path());
  return found;
}

Result<IndexConnection> connect(const path& file, Database::Mode mode) {
  auto database = TRY(Database::open(file, mode));
  IndexConnection index{std::make_unique<IndexTokenizer>(), std::move(database)};
  TRY(register_tokenizer(index.database, *index.tokenizer));
  TRY(register_term_collector(index.database));
  return index;
}

Status check_schema(Database& database) {
  Query number(database, "SELECT value FROM about WHERE name = 'schema'");
  const bool found = number.next();
  if (database.failed()) return database.status();
  if (found && number.integer(0) == schema_number) return {};
  return fail(ErrorCode::refused,
              "schema " + std::to_string(found ? number.integer(0) : 0) + ", this program writes " + std::to_string(schema_number),
              "'loci reindex' builds it again");
}

}  // namespace

path index_file(const path& state_folder, std::int64_t generation) {
  return state_folder / (std::string(name_prefix) + std::to_string(generation) + std::string(name_suffix));
}

path checked_file(const path& index) { return path(index) += "-checked"; }

std::vector<Generation> generations(const path& state_folder) {
  std::vector<Generation> found;
  for (const auto& file : files_of_indexes(state_folder))
    if (const auto number = generation_of(file.filename().string())) found.push_back({*number, file});
  std::ranges::sort(found, {}, &Generation::number);
  return found;
}

void remove_other_generations(FileSystem& files, const path& state_folder, std::int64_t keep) {
  const auto kept = index_file(state_folder, keep).filename().string();
  for (const auto& file : files_of_indexes(state_folder)) {
    const auto name = file.filename().string();
    if (name == kept || name == kept + "-wal" || name == kept + "-shm" || name == kept + "-checked") continue;
    static_cast<void>(files.remove(file));
  }
}

Result<IndexConnection> open_index(const path& file, Database::Mode mode) {
  auto index = TRY(connect(file, mode));
  TRY(check_schema(index.database));
  return index;
}

Result<IndexConnection> create_index(FileSystem& files, const path& file) {
  TRY(files.remove(file));
  TRY(files.open(file, O_CREAT | O_EXCL | O_WRONLY, 0600));
  auto index = TRY(connect(file, Database::Mode::build));
  index.database.execute(tables);
  run(index.database, "INSERT INTO about VALUES ('schema', ?)", schema_number);
  if (index.database.failed()) return std::unexpected(index.database.status().error());
  return index;
}

void create_indexes(Database& database) { database.execute(indexes); }

}  // namespace loci
