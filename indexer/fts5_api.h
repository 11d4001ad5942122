// The door to FTS5's extension interface. Included by the two sources that extend FTS5 and by nothing else.
#pragma once

#include <sqlite3.h>

#include "indexer/sqlite.h"

namespace loci {

// Null if this SQLite was built without FTS5.
inline fts5_api* fts5_api_of(Database& database) {
  fts5_api* api = nullptr;
  Query query(database, "SELECT fts5(?1)", Pointer{static_cast<void*>(&api), "fts5_api_ptr"});
  query.next();
  return api;
}

}  // namespace loci
