// The tables of the index and the files it lives in: <state folder>/index.<generation>.db. Never migrated: another schema
// number means building the next generation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"
#include "indexer/fts_tokenizer.h"
#include "indexer/sqlite.h"

namespace loci {

inline constexpr std::int64_t schema_number = 26;

struct Generation {
  std::int64_t number = 0;
  path file;
};

path index_file(const path& state_folder, std::int64_t generation);
// Its modification time says when a sweep last found nothing left to do: a file beside the index, because writing that into the
// index would cost every search a sync.
path checked_file(const path& index);
// The finished ones, oldest first; none if there is no such folder.
std::vector<Generation> generations(const path& state_folder);
// Removes every generation but `keep`, unfinished builds included. What cannot be removed stays.
void remove_other_generations(FileSystem& files, const path& state_folder, std::int64_t keep);

// A connection with loci's tokenizer and functions.
struct IndexConnection {
  std::unique_ptr<IndexTokenizer> tokenizer;  // outlives the statements that use it
  Database database;
};

// An index that is there. Fails with ErrorCode::refused if it is of another schema, else if it is damaged.
Result<IndexConnection> open_index(const path& file, Database::Mode mode);
// A new file with empty tables and no indexes yet; an older one of that name goes.
Result<IndexConnection> create_index(FileSystem& files, const path& file);
// The indexes of the tables: made after the rows, they are sorted once and packed.
void create_indexes(Database& database);

}  // namespace loci
