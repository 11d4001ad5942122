#include <unistd.h>

#include <algorithm>

#include "indexer/index_build.h"
#include "indexer/indexer.h"
#include "indexer/schema.h"
#include "indexer/threads.h"

namespace loci {
namespace {

// A fresh index beside the real one, gone with this object.
class Scratch {
 public:
  Scratch(FileSystem& files, const path& folder, const char* purpose)
      : files_(files), folder_(folder / ("compare." + std::string(purpose) + "." + std::to_string(::getpid()))) {}
  ~Scratch() {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Status make() { return make_folders(files_, folder_); }
  const path& folder() const { return folder_; }

 private:
  FileSystem& files_;
  path folder_;
};

std::string id_of_row(IndexReader& reader, RowId row) {
  if (row == 0) return {};
  const auto entry = reader.entry(row);
  return entry ? entry->id : "?";
}

std::string at_line(const Entry& entry) { return entry.places.front().file + ":" + std::to_string(entry.places.front().line); }

// What of the record differs; neighbours and threads by their names, because row numbers mean nothing.
void compare_columns(IndexReader& index, const Entry& mine, IndexReader& fresh, const Entry& wanted,
                     std::vector<std::string>& what) {
  const EntryColumns a = index.columns(mine.row);
  const EntryColumns b = fresh.columns(wanted.row);
  if (a.text_length != b.text_length || a.context_length != b.context_length) what.emplace_back("another length");
  if (a.speaker != b.speaker || a.traits != b.traits) what.emplace_back("another speaker or other traits");
  if (a.at != b.at) what.emplace_back("another time");
  if (a.thread != 0 || b.thread != 0) {
    const auto length_a = index.thread(a.thread);
    const auto length_b = fresh.thread(b.thread);
    if (index.session_of(a.thread) != fresh.session_of(b.thread) || length_a.length != length_b.length ||
        length_a.entries != length_b.entries)
      what.emplace_back("another thread");
  }
  if (id_of_row(index, a.previous) != id_of_row(fresh, b.previous) || id_of_row(index, a.next) != id_of_row(fresh, b.next))
    what.emplace_back("other neighbours");
}

void compare_entries(IndexReader& index, const Entry& mine, IndexReader& fresh, const Entry& wanted, std::vector<Difference>& out) {
  std::vector<std::string> what;
  if (mine.places != wanted.places) {
    const bool elsewhere = at_line(mine) != at_line(wanted);
    what.push_back(elsewhere ? "stands at " + at_line(wanted) + ", index says " + at_line(mine) : "other further places");
  }
  if (mine.text != wanted.text) what.emplace_back("text differs");
  if (mine.active != wanted.active)
    what.emplace_back(wanted.active ? "is active, index says it is not" : "is not active, index says it is");
  if (mine.pending != wanted.pending)
    what.emplace_back(wanted.pending ? "is pending, index says settled" : "is settled, index says pending");
  if (mine.layer != wanted.layer) what.emplace_back("another layer");
  Entry rest = mine;
  rest.row = wanted.row;
  rest.places = wanted.places;
  rest.text = wanted.text;
  rest.active = wanted.active;
  rest.pending = wanted.pending;
  rest.layer = wanted.layer;
  if (rest != wanted) what.emplace_back("metadata differs");
  compare_columns(index, mine, fresh, wanted, what);
  for (auto& each : what) out.push_back({wanted.id, wanted.places.front().file, wanted.places.front().line, std::move(each)});
}

// What can't be read now is in the index as it was last read.
bool is_unreadable(const std::string& file, const std::vector<Problem>& problems) {
  return std::ranges::any_of(problems, [&](const Problem& problem) {
    return problem.code == "unreadable" && (file == problem.file || file.starts_with(problem.file + "/"));
  });
}

std::optional<Entry> find_exactly(IndexReader& reader, const std::string& id) {
  auto found = reader.find(id, 1);
  if (!found || found->empty() || found->front().id != id) return std::nullopt;
  return std::move(found->front());
}

Result<std::vector<Difference>> compare(IndexReader& index, IndexReader& fresh) {
  std::vector<Difference> out;
  EntryFilter everything;
  everything.inactive = true;
  const auto problems = fresh.problems();
  const auto wanted_rows = TRY(fresh.rows_matching(everything));
  for (const RowId row : wanted_rows) {
    const auto wanted = TRY(fresh.entry(row));
    if (const auto mine = find_exactly(index, wanted.id))
      compare_entries(index, *mine, fresh, wanted, out);
    else
      out.push_back({wanted.id, wanted.places.front().file, wanted.places.front().line, "missing in the index"});
  }
  const auto rows = TRY(index.rows_matching(everything));
  for (const RowId row : rows) {
    const auto mine = index.entry(row);
    if (!mine)
      out.push_back({"", "", 0, mine.error().message});
    else if (!find_exactly(fresh, mine->id) && !is_unreadable(mine->places.front().file, problems))
      out.push_back({mine->id, mine->places.front().file, mine->places.front().line, "not in the files"});
  }
  const bool all_readable = std::ranges::none_of(problems, [](const Problem& problem) { return problem.code == "unreadable"; });
  if (all_readable && pack_statistics(index.statistics()) != pack_statistics(fresh.statistics()))
    out.push_back({"", "", 0, "other averages"});
  if (all_readable && index.problems() != problems) out.push_back({"", "", 0, "other problems"});
  return out;
}

// FTS5 checks itself only in a database that it may write, so a copy is checked.
Status check_full_text(const path& index, const path& copy) {
  auto original = TRY(open_index(index, Database::Mode::read));
  // The file is open for reading only; the copy is another, and nobody needs it to last.
  original.database.execute("PRAGMA query_only=OFF; PRAGMA synchronous=OFF");
  run(original.database, "VACUUM INTO ?", copy.string());
  if (original.database.failed()) return original.database.status();
  auto copied = TRY(open_index(copy, Database::Mode::build));
  run(copied.database, "INSERT INTO fts(fts, rank) VALUES ('integrity-check', 1)");
  return copied.database.status();
}

}  // namespace

Result<std::vector<Difference>> compare_with_fresh_scan(const Vault& vault, const ProgressCallback& progress) {
  auto index = TRY(IndexReader::open(vault.state_folder()));
  Scratch scratch(vault.files(), vault.state_folder(), "fresh");
  TRY(scratch.make());
  TRY(build_index(vault, index_file(scratch.folder(), 1), progress));
  auto fresh = TRY(IndexReader::open(scratch.folder()));
  auto differences = TRY(compare(index, fresh));
  const auto known = generations(vault.state_folder());
  if (known.empty()) return differences;
  if (auto status = check_full_text(known.back().file, scratch.folder() / "copy.db"); !status)
    differences.push_back({"", "", 0, "the full-text index does not fit its text: " + status.error().message});
  return differences;
}

}  // namespace loci
