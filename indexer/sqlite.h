// SQLite behind thin types. A Database owns one connection, belongs to one thread at a time, and keeps its first failure: from
// then on every statement on it does nothing, reads nothing and says so through status(). A sequence of writes is therefore
// written down plainly and checked once, by Transaction::commit().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace loci {

// What SQLite does once a process, before its first connection. A process that is forked in the middle of it, by another thread or
// by a signal, waits for ever when it opens one: whoever may be forked so does this first.
void initialize_sqlite();

class Database {
 public:
  enum class Mode : std::uint8_t {
    read,   // never writes, never checkpoints, never waits for a writer
    write,  // the one connection that writes and checkpoints
    build,  // a file that nobody else knows yet and that is thrown away if the program stops: no journal, no sync
  };

  // `file` has to exist (it may be empty); it is made by the caller with the mode it should have.
  static Result<Database> open(const path& file, Mode mode);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // The first failure since the last clear(). Its message is SQLite's.
  const Status& status() const { return status_; }
  bool failed() const { return !status_.has_value(); }
  // Some failure was one that only a damaged file explains. Stays set.
  bool is_damaged() const { return damaged_; }
  // Something read from the file made no sense.
  void report_damage(std::string what);
  void clear() { status_ = {}; }
  Status take_status();

  // One or more statements without parameters, whose rows nobody wants.
  void execute(const char* sql);
  std::int64_t last_row() const;
  int changes() const;

  sqlite3* handle() const { return handle_.get(); }

 private:
  friend class Query;
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  using OwnedStatement = std::unique_ptr<sqlite3_stmt, Finalize>;

  explicit Database(sqlite3* handle) : handle_(handle) {}
  OwnedStatement prepare(const char* sql);
  void record_failure(int code);

  std::unique_ptr<sqlite3, Close> handle_;
  // Prepared statements that nobody uses right now, by the address of their text: only string literals come here.
  std::unordered_map<const char*, std::vector<OwnedStatement>> idle_;
  Status status_;
  bool damaged_ = false;
};

struct Blob {
  std::string_view bytes;
};

// A pointer handed to a function inside SQLite; `type` is a string literal that both sides know.
struct Pointer {
  void* address;
  const char* type;
};

// One use of a statement, from binding to reset:
//
//   for (Query entry(database, "SELECT id FROM entries WHERE file = ?", file); entry.next();) use(entry.text(0));
//
// `sql` has to be a string literal. Arguments are copied unless they come with Borrowed; what text() and blob() return is valid
// until the next next().
class Query {
 public:
  // The arguments live as long as the query.
  struct Borrowed {};

  template <typename... Arguments>
  Query(Database& database, const char* sql, const Arguments&... arguments) : Query(database, sql, Copies{true}) {
    bind_all(arguments...);
  }
  template <typename... Arguments>
  Query(Borrowed, Database& database, const char* sql, const Arguments&... arguments) : Query(database, sql, Copies{false}) {
    bind_all(arguments...);
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query();

  // True: there is a row. False: no more, or a failure (in Database::status()).
  bool next();

  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;
  std::string_view blob(int column) const;
  bool is_null(int column) const;

 private:
  struct Copies {
    bool value;
  };
  Query(Database& database, const char* sql, Copies copies);

  template <typename... Arguments>
  void bind_all(const Arguments&... arguments) {
    int number = 0;
    (bind(++number, arguments), ...);
  }
  void bind(int number, std::int64_t value);
  void bind(int number, int value) { bind(number, std::int64_t{value}); }
  void bind(int number, std::uint32_t value) { bind(number, std::int64_t{value}); }
  void bind(int number, bool value) { bind(number, std::int64_t{value}); }
  void bind(int number, std::uint64_t value) { bind(number, static_cast<std::int64_t>(value)); }
  void bind(int number, std::nullptr_t);
  void bind(int number, std::string_view text);
  void bind(int number, const std::string& text) { bind(number, std::string_view(text)); }
  void bind(int number, const char* text) { bind(number, std::string_view(text)); }
  void bind(int number, Blob blob);
  void bind(int number, Pointer pointer);
  template <typename T>
  void bind(int number, const std::optional<T>& value) {
    value ? bind(number, *value) : bind(number, nullptr);
  }

  Database& database_;
  const char* sql_;
  bool copies_;
  Database::OwnedStatement statement_;
};

// A statement whose rows nobody wants.
template <typename... Arguments>
void run(Database& database, const char* sql, const Arguments&... arguments) {
  Query query(Query::Borrowed{}, database, sql, arguments...);
  while (query.next()) {
  }
}

// Rolls back unless committed. A writing one takes the write lock at once: a reading one that turns into a writer fails
// when somebody else committed in between.
class Transaction {
 public:
  enum class Kind : std::uint8_t { read, write };

  Transaction(Database& database, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  [[nodiscard]] Status commit();

 private:
  Database& database_;
  bool open_ = false;
};

}  // namespace loci
