#include "indexer/sqlite.h"

#include <sqlite3.h>
#include <sys/stat.h>

namespace loci {
namespace {

constexpr int busy_patience_ms = 10000;
constexpr off_t longest_log = off_t{4} << 20;  // as journal_size_limit below

// Whoever opens a log first reads all of it, and begins it anew only if nobody has it open: one writer after the other would make
// it longer and longer. Whether that works out is nobody's concern now.
void empty_long_log(sqlite3* handle) {
  if (sqlite3_db_readonly(handle, "main") != 0) return;
  const char* file = sqlite3_db_filename(handle, "main");
  const char* log = file != nullptr ? sqlite3_filename_wal(file) : nullptr;
  struct stat info{};
  if (log == nullptr || ::stat(log, &info) != 0 || info.st_size <= longest_log) return;
  sqlite3_busy_timeout(handle, 0);
  static_cast<void>(sqlite3_wal_checkpoint_v2(handle, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr));
}

// Before any statement: what has to hold for every connection of a mode.
const char* set_up(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::read:
      return "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY; PRAGMA query_only=ON;"
             "PRAGMA cache_size=-768";
    case Database::Mode::write:
      return "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY; PRAGMA journal_mode=WAL;"
             "PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=512; PRAGMA journal_size_limit=4194304; PRAGMA "
             "cache_size=-2048";
    case Database::Mode::build:
      break;
  }
  return "PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
         "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-32768";
}

Error error_of(sqlite3* handle, int code) {
  Error error{.message = std::string("index: ") + (handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code))};
  switch (code & 0xFF) {
    case SQLITE_FULL:
      error.hint = "free some space; the index stays as it was";
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      error.hint = "the index is derived from the files: 'loci reindex --clear' builds it again";
      break;
    case SQLITE_BUSY:
      error.code = ErrorCode::locked;
      error.hint = "another process is using the index; try again";
      break;
    default:
      break;
  }
  return error;
}

}  // namespace

void initialize_sqlite() { (void)sqlite3_initialize(); }  // what fails here is told when a connection is opened

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
void Database::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&& other) noexcept {
  if (this != &other) {
    idle_.clear();  // statements go before their connection
    handle_ = std::move(other.handle_);
    idle_ = std::move(other.idle_);
    status_ = std::move(other.status_);
    damaged_ = other.damaged_;
  }
  return *this;
}
Database::~Database() {
  idle_.clear();
  if (handle_ && status_) empty_long_log(handle_.get());
}

Result<Database> Database::open(const path& file, Mode mode) {
  sqlite3* handle = nullptr;
  const int flags = (mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  Database database(handle);
  if (code != SQLITE_OK) {
    auto error = error_of(handle, code);
    error.message += ": " + file.string();
    return std::unexpected(std::move(error));
  }
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, busy_patience_ms);
  // Whoever closes last would otherwise pay for a checkpoint, readers too; the writer checkpoints as it goes.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, mode == Mode::build ? 0 : 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  database.execute(set_up(mode));
  if (database.failed()) return std::unexpected(database.status().error());
  return database;
}

void Database::record_failure(int code) {
  const int primary = code & 0xFF;
  if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB) damaged_ = true;
  if (status_) status_ = std::unexpected(error_of(handle_.get(), code));
}

void Database::report_damage(std::string what) {
  damaged_ = true;
  if (status_)
    status_ = std::unexpected(Error{.message = "index: damaged: " + std::move(what),
                                    .hint = "the index is derived from the files: 'loci reindex --clear' builds it again"});
}

Status Database::take_status() {
  Status status = std::move(status_);
  status_ = {};
  return status;
}

void Database::execute(const char* sql) {
  if (failed()) return;
  const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) record_failure(code);
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }
int Database::changes() const { return sqlite3_changes(handle_.get()); }

Database::OwnedStatement Database::prepare(const char* sql) {
  if (failed()) return nullptr;
  if (auto& idle = idle_[sql]; !idle.empty()) {
    auto statement = std::move(idle.back());
    idle.pop_back();
    return statement;
  }
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) record_failure(code);
  return OwnedStatement(statement);
}

Query::Query(Database& database, const char* sql, Copies copies)
    : database_(database), sql_(sql), copies_(copies.value), statement_(database.prepare(sql)) {}

Query::~Query() {
  if (!statement_) return;
  sqlite3_reset(statement_.get());  // repeats the code of a failure that next() has recorded
  sqlite3_clear_bindings(statement_.get());
  database_.idle_[sql_].push_back(std::move(statement_));
}

bool Query::next() {
  if (!statement_ || database_.failed()) return false;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.record_failure(code);
  return false;
}

void Query::bind(int number, std::int64_t value) {
  if (statement_) sqlite3_bind_int64(statement_.get(), number, value);
}
void Query::bind(int number, std::nullptr_t) {
  if (statement_) sqlite3_bind_null(statement_.get(), number);
}
void Query::bind(int number, std::string_view text) {
  // A view without an address would be bound as NULL.
  const char* bytes = text.data() != nullptr ? text.data() : "";
  if (statement_)
    sqlite3_bind_text64(statement_.get(), number, bytes, text.size(), copies_ ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
}
void Query::bind(int number, Blob blob) {
  const char* bytes = blob.bytes.data() != nullptr ? blob.bytes.data() : "";
  if (statement_)
    sqlite3_bind_blob64(statement_.get(), number, bytes, blob.bytes.size(), copies_ ? SQLITE_TRANSIENT : SQLITE_STATIC);
}
void Query::bind(int number, Pointer pointer) {
  if (statement_) sqlite3_bind_pointer(statement_.get(), number, pointer.address, pointer.type, nullptr);
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Query::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
bool Query::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

std::string_view Query::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view Query::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database_.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
  open_ = !database_.failed();
}

Transaction::~Transaction() {
  // Not through execute(): a connection that failed still has to roll back. SQLite may have done so by itself.
  if (open_ && sqlite3_get_autocommit(database_.handle()) == 0)
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Status Transaction::commit() {
  database_.execute("COMMIT");
  if (!database_.failed()) open_ = false;
  return database_.status();
}

}  // namespace loci
