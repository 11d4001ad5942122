// The threads of conversations: who stands before and behind whom, how long each thread is, and the averages of all entries.
// Only active entries count. Adding or removing one touches its neighbours and nothing else.
// Belongs to one connection; failures are the connection's.
#pragma once

#include <string>

#include "indexer/columns.h"
#include "indexer/sqlite.h"

namespace loci {

std::string pack_statistics(const Statistics& statistics);
Statistics unpack_statistics(std::string_view bytes);

class Threads {
 public:
  Threads(Database& database, ColumnPages& columns) : database_(database), columns_(columns) {}

  // The thread of a session, made if there is none.
  ThreadId thread_of(const std::string& session);
  // Removes a session that no entry has any more.
  void release(ThreadId session);

  // Takes an active entry, whose row and record are written, into its thread and the averages; takes it out again.
  void attach(RowId row);
  void detach(RowId row);
  // Everything at once, from the rows and records alone: after a build.
  void attach_all();

  void flush();  // the averages

 private:
  struct Neighbours {
    RowId previous = 0, next = 0;
  };
  Neighbours neighbours_of(RowId row);
  void link(RowId row, const Neighbours& neighbours);
  void unlink(RowId row);
  void add_to_thread(ThreadId thread, std::int64_t length, int entries);
  Statistics& statistics();

  Database& database_;
  ColumnPages& columns_;
  Statistics statistics_;
  bool loaded_ = false;
};

}  // namespace loci
