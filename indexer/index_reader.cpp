#include "indexer/index_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "indexer/claim_order.h"
#include "indexer/index_build.h"
#include "indexer/index_reader_impl.h"
#include "indexer/problem_blob.h"
#include "indexer/term_collector.h"

namespace loci {
namespace {

class TermSink final : public TokenSink {
 public:
  bool take(const Token& token) override {
    terms.emplace_back(token.term);
    return true;
  }
  std::vector<std::string> terms;
};

// A line of the core that stands for an entry elsewhere.
bool only_shows_another(const Entry& entry) { return entry.place == Place::core && !entry.ref.empty(); }

using TextHashAt = std::function<std::string(FileId, int line)>;

std::string format_day(std::uint16_t day) { return utc_date(Instant(std::chrono::days(day))); }

struct Claim {
  std::string id, path;
  int line = 0;
  std::string hash;  // of the text there
};

// Ids that more than one entry claims: the first of them has it. A copy with the same words is one more place of it.
std::vector<Problem> contested_ids(Database& database, const TextHashAt& text_hash_at) {
  std::vector<Claim> claims;
  for (Query claim(database, "SELECT contested.id, path, line, file FROM contested JOIN files USING (file)"); claim.next();) {
    const int line = static_cast<int>(claim.integer(2));
    claims.push_back({std::string(claim.text(0)), std::string(claim.text(1)), line, text_hash_at(claim.integer(3), line)});
  }
  std::ranges::sort(claims, [](const Claim& a, const Claim& b) {
    if (a.id != b.id) return a.id < b.id;
    return a.path != b.path ? ClaimOrder()(a.path, b.path) : a.line < b.line;
  });
  std::vector<Problem> found;
  const Claim* holder = nullptr;
  for (const Claim& claim : claims) {
    if (holder == nullptr || holder->id != claim.id)
      holder = &claim;
    else if (claim.hash.empty() || claim.hash != holder->hash)
      found.push_back({claim.path, claim.line, "duplicate-id",
                       "the id " + claim.id + " already stands at " + holder->path + ":" + std::to_string(holder->line) +
                           ": this text is a copy, named after its words; give it another id"});
  }
  return found;
}

}  // namespace

IndexReader::IndexReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
IndexReader::IndexReader(IndexReader&&) noexcept = default;
IndexReader& IndexReader::operator=(IndexReader&&) noexcept = default;
IndexReader::~IndexReader() = default;

Result<IndexReader> IndexReader::open(const path& state_folder) {
  // A writer may swap generations between the listing and the opening.
  constexpr int patience = 10;
  for (int attempt = 0;; ++attempt) {
    const auto known = generations(state_folder);
    if (known.empty())
      return fail(ErrorCode::not_found, "there is no index yet in " + state_folder.string(), "'loci reindex' builds it");
    auto index = open_index(known.back().file, Database::Mode::read);
    if (!index) {
      if (attempt < patience && !std::filesystem::exists(known.back().file)) continue;
      return std::unexpected(index.error());
    }
    auto impl = std::make_unique<Impl>(std::move(*index), known.back());
    if (!impl->begins_to_read()) return std::unexpected(impl->index.database.take_status().error());
    return IndexReader(std::move(impl));
  }
}

void IndexReader::release() { impl_->snapshot.reset(); }

bool IndexReader::renew() {
  impl_->snapshot.reset();
  const auto known = generations(impl_->generation.file.parent_path());
  auto& database = impl_->index.database;
  if (database.failed() || database.is_damaged() || known.empty() || known.back().number != impl_->generation.number) return false;
  IndexConnection connection = std::move(impl_->index);
  const auto earlier = std::exchange(impl_, std::make_unique<Impl>(std::move(connection), known.back()));
  impl_->columns.take_over(earlier->columns);
  impl_->kept_lists = std::move(earlier->kept_lists);
  impl_->kept_lists.leave();
  return impl_->begins_to_read();  // what else was read before is forgotten
}

std::vector<std::string> IndexReader::tokens_of(std::string_view word) {
  TermSink sink;
  impl_->index.tokenizer->tokenizer.tokenize(word, TokenForm::query, sink);
  return std::move(sink.terms);
}

TermExpression IndexReader::expression_for(std::string_view term, TermKind kind) {
  return loci::expression_for(impl_->index.tokenizer->tokenizer, term, kind);
}

Result<Matches> IndexReader::match(const std::string& expression, std::span<const PhraseMeaning> meanings) {
  Database& database = impl_->index.database;
  if (!impl_->kept_lists.is_known()) {
    impl_->kept_lists.is_at(texts_of_snapshot(database));
    if (auto known = database.take_status(); !known) {
      impl_->kept_lists.leave();
      return std::unexpected(known.error());
    }
  }
  return collect_matches(database, impl_->kept_lists, expression, meanings);
}

Result<std::uint64_t> IndexReader::document_frequency(const std::string& term) {
  return impl_->checked(rows_with_term(impl_->index.database, term));
}

Result<std::vector<std::string>> IndexReader::first_terms_beginning_with(const std::string& beginning, size_t limit) {
  std::vector<std::string> terms;
  for (Query row(impl_->index.database, "SELECT term FROM terms WHERE term >= ? AND term < ? ORDER BY term LIMIT ?", beginning,
                 beginning + '\xFF', std::uint64_t{limit});
       row.next();)
    terms.emplace_back(row.text(0));
  return impl_->checked(std::move(terms));
}

Result<std::uint64_t> IndexReader::most_rows_with_beginning(const std::string& beginning) {
  return impl_->checked(rows_with_beginning(impl_->index.database, beginning));
}

Result<std::uint64_t> IndexReader::facts_with(const std::string& stem) {
  return impl_->checked(facts_with_stem(impl_->index.database, stem));
}

Result<std::vector<std::pair<std::string, std::uint64_t>>> IndexReader::terms_beginning_with(const std::string& beginning) {
  std::vector<std::pair<std::string, std::uint64_t>> terms;
  for (Query row(impl_->index.database, "SELECT term, rows FROM terms WHERE term >= ? AND term < ?", beginning, beginning + '\xFF');
       row.next();)
    terms.emplace_back(row.text(0), static_cast<std::uint64_t>(row.integer(1)));
  return impl_->checked(std::move(terms));
}

EntryColumns IndexReader::columns(RowId row) {
  EntryColumns entry = impl_->columns.entry(row);
  if (impl_->index.database.failed()) impl_->index.database.clear();  // of a damaged page no row exists
  return entry;
}

void IndexReader::columns(std::span<const RowId> rows, std::span<EntryColumns> found) {
  for (size_t i = 0; i < rows.size(); ++i) found[i] = impl_->columns.entry(rows[i]);
  if (impl_->index.database.failed()) impl_->index.database.clear();
}

bool IndexReader::is_damaged() const { return impl_->index.database.is_damaged(); }

ThreadColumns IndexReader::thread(ThreadId thread) {
  Query row(impl_->index.database, "SELECT length, entries FROM sessions WHERE session = ?", thread);
  if (!row.next()) return {};
  return {static_cast<std::uint32_t>(row.integer(0)), static_cast<std::uint32_t>(row.integer(1))};
}

std::string IndexReader::session_of(ThreadId thread) {
  Query row(impl_->index.database, "SELECT name FROM sessions WHERE session = ?", thread);
  return row.next() ? std::string(row.text(0)) : std::string();
}

Statistics IndexReader::statistics() {
  Query row(impl_->index.database, "SELECT value FROM about WHERE name = 'statistics'");
  return row.next() ? unpack_statistics(row.blob(0)) : Statistics{};
}

std::string IndexReader::id_of(RowId row) {
  Query id(impl_->index.database, "SELECT id FROM entries WHERE row = ?", row);
  return id.next() ? std::string(id.text(0)) : std::string();
}

Result<Entry> IndexReader::entry(RowId row) { return impl_->entry(row); }

Result<std::vector<Entry>> IndexReader::find(std::string_view id_or_prefix, size_t limit) {
  auto& database = impl_->index.database;
  std::vector<RowId> rows;
  if (Query exact(database, "SELECT row FROM entries WHERE id = ?", id_or_prefix); exact.next())
    rows.push_back(static_cast<RowId>(exact.integer(0)));
  const std::string behind = std::string(id_or_prefix) + '\x7F';  // ids are ASCII
  if (rows.empty() && !id_or_prefix.empty())
    for (Query row(database, "SELECT row FROM entries WHERE id >= ? AND id < ? ORDER BY id LIMIT ?", id_or_prefix, behind,
                   std::uint64_t{limit});
         row.next();)
      rows.push_back(static_cast<RowId>(row.integer(0)));
  return impl_->checked(impl_->entries_of(rows));
}

Result<std::vector<Entry>> IndexReader::find_text(std::string_view hash, std::string_view loose_hash) {
  Concerned concerned;
  for (const std::string_view each : {hash, loose_hash})
    if (!each.empty()) concerned.hashes.emplace(each);
  auto found = impl_->entries_of(rows_concerned(impl_->index.database, concerned));
  std::erase_if(found, only_shows_another);
  return impl_->checked(std::move(found));
}

Result<std::vector<RowId>> IndexReader::rows_with_text(std::string_view hash) {
  auto rows = loci::rows_with_text(impl_->index.database, hash);
  std::erase_if(rows, [&](RowId row) {
    if (impl_->columns.read(row).place != Place::core) return false;
    const auto entry = impl_->entry(row);  // only the entry says whose line it is, and the core is short
    return !entry || only_shows_another(*entry);
  });
  return impl_->checked(std::move(rows));
}

Result<std::vector<Entry>> IndexReader::find_resting_on(std::string_view id) {
  return impl_->checked(impl_->entries_of(rows_labelled(impl_->index.database, LabelKind::from, id)));
}

Result<std::vector<Entry>> IndexReader::find_correcting(std::string_view id) {
  return impl_->checked(impl_->entries_of(rows_labelled(impl_->index.database, LabelKind::corrects, id)));
}

std::uint64_t IndexReader::size_of_file(const std::string& path) {
  const auto known = impl_->files.find(path);
  return known ? known->state.size : 0;
}

IndexInfo IndexReader::info() {
  IndexInfo info;
  info.generation = impl_->generation.number;
  info.entries = static_cast<std::int64_t>(rows_with_term(impl_->index.database, ""));
  struct stat file{};
  if (::stat(impl_->generation.file.c_str(), &file) == 0) info.bytes = static_cast<std::uint64_t>(file.st_size);
  if (::stat(checked_file(impl_->generation.file).c_str(), &file) == 0) info.checked_at = modified_at(file);
  return info;
}

LayerCounts IndexReader::layers() {
  LayerCounts counts;
  impl_->columns.for_each([&](RowId, const ColumnRecord& record) {
    if (!record.entry.active) return;
    ++(record.entry.layer == Layer::L0 ? counts.L0 : record.entry.layer == Layer::L1 ? counts.L1 : counts.L2);
  });
  return counts;
}

FactCounts IndexReader::facts() {
  FactCounts counts;
  std::uint16_t first_pending = UINT16_MAX;
  const auto for_each_fact = [&](auto visit) {
    impl_->columns.for_each([&](RowId, const ColumnRecord& record) {
      if (record.place == Place::archive && record.entry.kind == EntryKind::fact) visit(record);
    });
  };
  for_each_fact([&](const ColumnRecord& fact) {
    ++counts.total;
    ++(!fact.entry.active ? counts.deleted : fact.entry.pending ? counts.pending : counts.settled);
    if (fact.entry.pending && !fact.quarantined) first_pending = std::min(first_pending, fact.day);
  });
  std::uint16_t watermark = 0;
  for_each_fact([&](const ColumnRecord& fact) {
    if (fact.day < first_pending) watermark = std::max(watermark, fact.day);
  });
  if (watermark > 0) counts.watermark = format_day(watermark);
  return counts;
}

std::vector<Problem> IndexReader::problems() {
  auto& database = impl_->index.database;
  auto found = read_scan_problems(database);
  for (Query row(database, "SELECT problems FROM file_details WHERE length(problems) > 0"); row.next();)
    std::ranges::move(unpack_problems(row.blob(0)), std::back_inserter(found));
  std::ranges::move(impl_->logs.problems(), std::back_inserter(found));
  const auto text_hash_at = [&](FileId file, int line) { return impl_->text_hash_at(file, line); };
  std::set<std::string> in_conflict;  // both sides of an entry have its id there: that is for whoever answers the conflict
  for (const Problem& problem : found)
    if (problem.code == "conflict-markers") in_conflict.insert(problem.file);
  auto contested = contested_ids(database, text_hash_at);
  std::erase_if(contested, [&](const Problem& one) { return in_conflict.contains(one.file); });
  std::ranges::move(contested, std::back_inserter(found));
  std::ranges::stable_sort(found,
                           [](const Problem& a, const Problem& b) { return std::tie(a.file, a.line) < std::tie(b.file, b.line); });
  return found;
}

}  // namespace loci
