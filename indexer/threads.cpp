#include "indexer/threads.h"

#include "indexer/bytes.h"

namespace loci {
namespace {

void pack_class(ByteWriter& out, const ClassStatistics& statistics) {
  for (const auto value : {statistics.entries, statistics.text_length, statistics.context_length, statistics.window_length,
                           statistics.threads, statistics.thread_length})
    out.fixed(value);
}

ClassStatistics unpack_class(ByteReader& in) {
  ClassStatistics statistics;
  for (auto* value : {&statistics.entries, &statistics.text_length, &statistics.context_length, &statistics.window_length,
                      &statistics.threads, &statistics.thread_length})
    *value = in.fixed<std::uint64_t>();
  return statistics;
}

// `sign` 1 adds an entry, -1 takes it away; unsigned arithmetic wraps and comes back.
void count_entry(ClassStatistics& statistics, const EntryColumns& entry, int sign) {
  const auto times = static_cast<std::uint64_t>(static_cast<std::int64_t>(sign));
  statistics.entries += times;
  statistics.text_length += times * entry.text_length;
  statistics.context_length += times * entry.context_length;
  statistics.window_length += times * entry.text_length;
  statistics.thread_length += times * (entry.text_length + entry.context_length);
}

}  // namespace

std::string pack_statistics(const Statistics& statistics) {
  std::string bytes;
  ByteWriter out(bytes);
  pack_class(out, statistics.turns);
  pack_class(out, statistics.rest);
  seal(bytes);
  return bytes;
}

Statistics unpack_statistics(std::string_view bytes) {
  const auto content = unseal(bytes);
  if (!content) return {};
  ByteReader in(*content);
  Statistics statistics;
  statistics.turns = unpack_class(in);
  statistics.rest = unpack_class(in);
  return statistics;
}

Statistics& Threads::statistics() {
  if (loaded_) return statistics_;
  loaded_ = true;
  statistics_ = {};
  if (Query row(database_, "SELECT value FROM about WHERE name = 'statistics'"); row.next())
    statistics_ = unpack_statistics(row.blob(0));
  return statistics_;
}

void Threads::flush() {
  if (!loaded_) return;
  run(database_, "INSERT OR REPLACE INTO about VALUES ('statistics', ?)", Blob{pack_statistics(statistics_)});
}

ThreadId Threads::thread_of(const std::string& session) {
  if (Query row(database_, "SELECT session FROM sessions WHERE name = ?", session); row.next())
    return static_cast<ThreadId>(row.integer(0));
  run(database_, "INSERT INTO sessions(name, length, entries) VALUES (?, 0, 0)", session);
  return static_cast<ThreadId>(database_.last_row());
}

void Threads::release(ThreadId session) {
  if (Query(database_, "SELECT 1 FROM entries WHERE session = ? LIMIT 1", session).next()) return;
  run(database_, "DELETE FROM sessions WHERE session = ?", session);
}

Threads::Neighbours Threads::neighbours_of(RowId row) {
  Neighbours found;
  Query self(database_, "SELECT thread, turn, at, id FROM entries WHERE row = ?", row);
  if (!self.next()) return found;
  const auto thread = self.integer(0);
  const auto turn = self.integer(1);
  const auto at = self.integer(2);
  const std::string id(self.text(3));
  if (Query before(database_,
                   "SELECT row FROM entries WHERE thread = ? AND (turn, at, id) < (?, ?, ?)"
                   " ORDER BY turn DESC, at DESC, id DESC LIMIT 1",
                   thread, turn, at, id);
      before.next())
    found.previous = static_cast<RowId>(before.integer(0));
  if (Query after(database_,
                  "SELECT row FROM entries WHERE thread = ? AND (turn, at, id) > (?, ?, ?) ORDER BY turn, at, id LIMIT 1", thread,
                  turn, at, id);
      after.next())
    found.next = static_cast<RowId>(after.integer(0));
  return found;
}

void Threads::link(RowId row, const Neighbours& neighbours) {
  auto& window = statistics().turns.window_length;
  columns_.write(row, [&](ColumnRecord& record) {
    record.entry.previous = neighbours.previous;
    record.entry.next = neighbours.next;
  });
  const std::uint64_t own_length = columns_.entry(row).text_length;
  const auto length = [&](RowId other) -> std::uint64_t { return other != 0 ? columns_.entry(other).text_length : 0; };
  // Both neighbours see this one instead of each other, and it sees them.
  const auto& [previous, next] = neighbours;
  if (previous != 0) {
    window += own_length - length(next) + length(previous);
    columns_.write(previous, [&](ColumnRecord& record) { record.entry.next = row; });
  }
  if (next != 0) {
    window += own_length - length(previous) + length(next);
    columns_.write(next, [&](ColumnRecord& record) { record.entry.previous = row; });
  }
}

void Threads::unlink(RowId row) {
  auto& window = statistics().turns.window_length;
  const EntryColumns entry = columns_.entry(row);
  const auto length = [&](RowId other) -> std::uint64_t { return other != 0 ? columns_.entry(other).text_length : 0; };
  const RowId previous = entry.previous;
  const RowId next = entry.next;
  if (previous != 0) {
    window -= std::uint64_t{entry.text_length} - length(next) + length(previous);
    columns_.write(previous, [&](ColumnRecord& record) { record.entry.next = next; });
  }
  if (next != 0) {
    window -= std::uint64_t{entry.text_length} - length(previous) + length(next);
    columns_.write(next, [&](ColumnRecord& record) { record.entry.previous = previous; });
  }
  columns_.write(row, [](ColumnRecord& record) { record.entry.previous = record.entry.next = 0; });
}

void Threads::add_to_thread(ThreadId thread, std::int64_t length, int entries) {
  run(database_, "UPDATE sessions SET length = length + ?, entries = entries + ? WHERE session = ?", length, entries, thread);
  Query row(database_, "SELECT entries FROM sessions WHERE session = ?", thread);
  if (!row.next()) return;
  const std::int64_t now = row.integer(0);
  if (entries > 0 && now == entries) ++statistics().turns.threads;
  if (entries < 0 && now == 0) --statistics().turns.threads;
}

void Threads::attach(RowId row) {
  const EntryColumns entry = columns_.entry(row);
  if (entry.thread == 0) {
    count_entry(statistics().rest, entry, 1);
    ++statistics().rest.threads;
    return;
  }
  count_entry(statistics().turns, entry, 1);
  add_to_thread(entry.thread, std::int64_t{entry.text_length} + entry.context_length, 1);
  link(row, neighbours_of(row));
}

void Threads::detach(RowId row) {
  const EntryColumns entry = columns_.entry(row);
  if (entry.thread == 0) {
    count_entry(statistics().rest, entry, -1);
    --statistics().rest.threads;
    return;
  }
  unlink(row);
  add_to_thread(entry.thread, -(std::int64_t{entry.text_length} + entry.context_length), -1);
  count_entry(statistics().turns, entry, -1);
}

void Threads::attach_all() {
  auto& all = statistics();
  all = {};
  columns_.for_each([&](RowId, const ColumnRecord& record) {
    if (record.is_turn() || !record.entry.active) return;
    count_entry(all.rest, record.entry, 1);
    ++all.rest.threads;
  });

  ThreadId thread = 0;
  RowId last = 0;
  std::int64_t length = 0;
  int entries = 0;
  const auto finish = [&] {
    if (thread == 0) return;
    run(database_, "UPDATE sessions SET length = ?, entries = ? WHERE session = ?", length, entries, thread);
    ++all.turns.threads;
  };
  for (Query row(database_, "SELECT row, thread FROM entries WHERE thread IS NOT NULL ORDER BY thread, turn, at, id");
       row.next();) {
    const auto self = static_cast<RowId>(row.integer(0));
    if (static_cast<ThreadId>(row.integer(1)) != thread) {
      finish();
      thread = static_cast<ThreadId>(row.integer(1));
      last = 0;
      length = 0;
      entries = 0;
    }
    const EntryColumns entry = columns_.entry(self);
    count_entry(all.turns, entry, 1);
    link(self, {last, 0});
    length += std::int64_t{entry.text_length} + entry.context_length;
    ++entries;
    last = self;
  }
  finish();
}

}  // namespace loci
