#include "indexer/file_table.h"

#include "indexer/file_times.h"
#include "indexer/problem_blob.h"

namespace loci {
namespace {

KnownFile known_file(const Query& row) {
  return {.id = row.integer(0),
          .state = {.path = std::string(row.text(1)),
                    .size = static_cast<std::uint64_t>(row.integer(2)),
                    .mtime_ns = row.integer(3),
                    .ctime_ns = row.integer(4),
                    .inode = static_cast<std::uint64_t>(row.integer(5)),
                    .untrusted = row.integer(6) != 0},
          .indexed_at = row.integer(7),
          .readable = row.integer(8) != 0};
}

}  // namespace

bool KnownFile::looks_like(const FileState& now) const { return looks_unchanged(state, now); }
bool KnownFile::may_have_changed_unseen() const { return is_racy(state.mtime_ns, indexed_at); }

std::vector<KnownFile> FileTable::all() {
  std::vector<KnownFile> files;
  for (Query row(database_,
                 "SELECT file, path, size, mtime, ctime, inode, untrusted, indexed_at, readable FROM files ORDER BY path");
       row.next();)
    files.push_back(known_file(row));
  return files;
}

std::optional<KnownFile> FileTable::find(const std::string& path) {
  Query row(database_, "SELECT file, path, size, mtime, ctime, inode, untrusted, indexed_at, readable FROM files WHERE path = ?",
            path);
  if (!row.next()) return std::nullopt;
  return known_file(row);
}

std::string FileTable::path_of(FileId file) {
  Query row(database_, "SELECT path FROM files WHERE file = ?", file);
  return row.next() ? std::string(row.text(0)) : std::string();
}

FileId FileTable::add(const std::string& path) {
  run(database_, "INSERT INTO files(path) VALUES (?)", path);
  return database_.last_row();
}

void FileTable::set_state(FileId file, const FileState& state, std::int64_t indexed_at, bool readable) {
  run(database_,
      "UPDATE files SET size = ?, mtime = ?, ctime = ?, inode = ?, untrusted = ?, indexed_at = ?, readable = ? WHERE file = ?",
      state.size, state.mtime_ns, state.ctime_ns, state.inode, state.untrusted, indexed_at, readable, file);
}

void FileTable::remove(FileId file) {
  run(database_, "DELETE FROM files WHERE file = ?", file);
  run(database_, "DELETE FROM file_details WHERE file = ?", file);
}

Layout FileTable::layout(FileId file) {
  Query row(database_, "SELECT layout FROM file_details WHERE file = ?", file);
  return row.next() ? unpack_layout(row.blob(0)) : Layout{};
}

FileDetails FileTable::details(FileId file) {
  FileDetails details;
  Query row(database_, "SELECT length, hash, layout, points, problems FROM file_details WHERE file = ?", file);
  if (!row.next()) return details;
  details.length = static_cast<std::uint64_t>(row.integer(0));
  details.hash = static_cast<std::uint64_t>(row.integer(1));
  details.layout = unpack_layout(row.blob(2));
  details.problems = unpack_problems(row.blob(4));
  if (!unpack(row.blob(3), details.points)) database_.report_damage("details of file " + std::to_string(file));
  return details;
}

void FileTable::set_details(FileId file, const FileDetails& details) {
  run(database_, "INSERT OR REPLACE INTO file_details VALUES (?, ?, ?, ?, ?, ?)", file, details.length, details.hash,
      Blob{pack_layout(details.layout)}, Blob{pack(details.points)}, Blob{pack_problems(details.problems)});
}

}  // namespace loci
