// What another memory holds, in loci's terms: an importer reads its format and hands over one record after the other, so that no
// importer knows a vault, and the vault none of the formats.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/result.h"

namespace loci::importers {

// A fact, or a summary of a conversation.
struct Record {
  std::string key = {};   // its own id where it comes from, which stays the same in a later, larger export; empty: its text is
  std::string text = {};  // as it stands there; what takes it in makes it what a vault can hold
  bool is_summary = false;
  std::string session = {};            // that it sums up
  std::optional<Instant> at = {};      // none: nobody knows
  bool is_date_of_file = false;        // `at` is when its file was last written, for want of a better one
  std::string project = {};            // where it belongs to; may be empty
  std::vector<std::string> tags = {};  // what kind it is there, and its own
  std::string provenance = {};         // the place there that it was taken from: a file and its lines
  bool is_superseded = false;          // it is not so any more there
};

// What was said from one thing that a person said to the next.
struct SaidTurn {
  std::string key = {};  // of what the person said; stable as a record's; empty: its number and text are
  std::string session = {};
  std::int64_t number = 0;
  std::string user = {}, assistant = {};  // one of them may be empty
  std::optional<Instant> at = {};
  std::string project = {};
  std::vector<std::string> tags = {};  // of the conversation
  bool is_kept_out = false;            // something that the person said was left out, and its answer; both sides may be empty
};

// Who takes in what is read.
class Records {
 public:
  virtual ~Records() = default;
  virtual Status take(Record record) = 0;
  virtual Status take(SaidTurn turn) = 0;
  // Whether what was said then in this session must not be handed over.
  virtual bool keeps_out(const std::string& session, std::string_view text, std::optional<Instant> at) = 0;
  // No memory is from later than this; a clock elsewhere may be a day ahead of this one.
  virtual Instant latest() const = 0;
  // Something that is no memory, or cannot be read: why, in words that are the same for all of a kind, and which one.
  virtual void skip(std::string_view why, std::string_view which) = 0;
};

// The turns of one conversation, made of messages as they come. Of each message alone it is asked whether it must be kept out; what
// is answered to one that is, or goes on behind one, stays out with it.
class Conversation {
 public:
  Conversation(Records& records, std::string session, std::string project = {});

  void set_project(const std::string& project) { project_ = project; }
  // What a person called it: what may be a tag in that is one of each turn, as the title itself is not kept.
  void set_title(std::string_view title);
  // The conversation that this one is a copy of, up to some message: what must not be taken in of that one stays out here, too.
  void add_origin(const std::string& session);
  // What was said later by the same side, before the other one answers, belongs to the same turn.
  Status user(std::string_view text, std::optional<Instant> at, std::string_view key);
  Status assistant(std::string_view text, std::optional<Instant> at, std::string_view key);
  Status end();  // hands over the last turn

 private:
  bool keeps_out(std::string_view text, std::optional<Instant> at);

  Records& records_;
  std::string session_, project_;
  std::vector<std::string> tags_, origins_;
  SaidTurn turn_;
  std::int64_t number_ = 0;
  bool is_begun_ = false, is_answered_ = false;  // also by what is kept out
  bool is_out_ = false;                          // until the person's next message
};

// Where an importer reads, and with what.
struct ImportSource {
  path root;
  FileSystem& files;
  path vault = {};  // canonical; nothing below it is read: it is memory where it is
  path home = {};   // whose own place the root is; empty: it was named, and what its settings say of other places is not followed
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  // bytes read, of all; null if nobody asks
};

}  // namespace loci::importers
