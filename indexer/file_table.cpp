#include "indexer/file_table.h"

#include <algorithm>

#include "base/hash.h"
#include "indexer/bytes.h"
#include "indexer/file_times.h"
#include "indexer/problem_blob.h"

namespace loci {
namespace {

std::uint32_t name_of(std::string_view path) { return static_cast<std::uint32_t>(hash64(path)); }

enum Flag : std::uint8_t { untrusted = 1, readable = 2 };

// Times are near each other: the second and third are kept as what lies between.
std::string pack_state(const FileState& state, std::int64_t indexed_at, bool is_readable) {
  std::string bytes;
  ByteWriter out(bytes);
  out.fixed(static_cast<std::uint8_t>((state.untrusted ? untrusted : 0) | (is_readable ? readable : 0)));
  out.fixed(state.mtime_ns);
  out.varint(static_cast<std::uint64_t>(state.ctime_ns) - static_cast<std::uint64_t>(state.mtime_ns));
  out.varint(static_cast<std::uint64_t>(indexed_at) - static_cast<std::uint64_t>(state.ctime_ns));
  out.varint(state.size);
  out.varint(state.inode);
  return bytes;
}

// What is missing is 0, which no file looks like: it is read again.
void unpack_state(std::string_view bytes, KnownFile& file) {
  ByteReader in(bytes);
  const auto flags = in.fixed<std::uint8_t>();
  file.state.untrusted = (flags & untrusted) != 0;
  file.readable = (flags & readable) != 0;
  file.state.mtime_ns = in.fixed<std::int64_t>();
  file.state.ctime_ns = static_cast<std::int64_t>(in.varint() + static_cast<std::uint64_t>(file.state.mtime_ns));
  file.indexed_at = static_cast<std::int64_t>(in.varint() + static_cast<std::uint64_t>(file.state.ctime_ns));
  file.state.size = in.varint();
  file.state.inode = in.varint();
}

KnownFile known_file(const Query& row) {
  KnownFile file;
  file.id = row.integer(0);
  file.state.path = row.text(1);
  unpack_state(row.blob(2), file);
  return file;
}

// Files are added by path most of the time: what is in order already is only merged.
void sort_by_path(std::vector<KnownFile>& files) {
  const auto path = [](const KnownFile& file) -> std::string_view { return file.state.path; };
  std::vector<size_t> runs = {0};
  for (size_t i = 1; i < files.size(); ++i)
    if (path(files[i]) < path(files[i - 1])) runs.push_back(i);
  runs.push_back(files.size());
  while (runs.size() > 2) {
    std::vector<size_t> merged = {0};
    for (size_t i = 0; i + 1 < runs.size(); i += 2) {
      const size_t end = runs[std::min(i + 2, runs.size() - 1)];
      const auto at = [&](size_t place) { return files.begin() + static_cast<std::ptrdiff_t>(place); };
      std::ranges::inplace_merge(at(runs[i]), at(runs[i + 1]), at(end), {}, path);
      merged.push_back(end);
    }
    runs = std::move(merged);
  }
}

}  // namespace

bool KnownFile::looks_like(const FileState& now) const { return looks_unchanged(state, now); }
bool KnownFile::may_have_changed_unseen() const { return is_racy(state.mtime_ns, indexed_at); }

std::vector<KnownFile> FileTable::all() {
  std::vector<KnownFile> files;
  for (Query row(database_, "SELECT file, path, state FROM files"); row.next();) files.push_back(known_file(row));
  sort_by_path(files);
  return files;
}

std::optional<KnownFile> FileTable::find(const std::string& path) {
  Query row(database_, "SELECT file, path, state FROM files WHERE name = ? AND path = ?", name_of(path), path);
  if (!row.next()) return std::nullopt;
  return known_file(row);
}

std::string FileTable::path_of(FileId file) {
  Query row(database_, "SELECT path FROM files WHERE file = ?", file);
  return row.next() ? std::string(row.text(0)) : std::string();
}

FileId FileTable::add(const std::string& path) {
  run(database_, "INSERT INTO files(path, name) VALUES (?, ?)", path, name_of(path));
  return database_.last_row();
}

void FileTable::set_state(FileId file, const FileState& state, std::int64_t indexed_at, bool readable) {
  run(database_, "UPDATE files SET state = ? WHERE file = ?", Blob{pack_state(state, indexed_at, readable)}, file);
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
