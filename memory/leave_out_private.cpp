#include "memory/leave_out_private.h"

#include <algorithm>

#include "memory/may_send.h"

namespace loci {
namespace {

// What may be told of one answer, once it is known which entries it is about.
class Telling {
 public:
  explicit Telling(Memory& memory) : sendable_(memory) {}

  bool says_all() const { return !sendable_.has_rules(); }

  void leave_out(std::vector<Entry>& entries) {
    std::erase_if(entries, [&](const Entry& entry) {
      const auto may = sendable_.may_send(entry);
      if (!may || !*may) hidden_.push_back(entry);
      return !may || !*may;
    });
  }

  void leave_out_ids(std::vector<std::string>& ids) {
    std::erase_if(ids, [&](const std::string& id) {
      const auto may = sendable_.may_send_id(id);
      return !may || !*may;
    });
  }

  void leave_out_files(std::vector<std::string>& files) const {
    std::erase_if(files, [&](const std::string& file) { return is_named(file); });
  }

  void leave_out_notes(std::vector<std::string>& notes) const {
    std::erase_if(notes, [&](const std::string& note) {
      return std::ranges::any_of(hidden_, [&](const Entry& entry) { return speaks_of(note, entry); });
    });
  }

 private:
  bool is_named(const std::string& file) const { return !sendable_.may_send({}, {}, file); }

  bool speaks_of(const std::string& note, const Entry& entry) const {
    return note.contains("'" + entry.id + "'") || std::ranges::any_of(entry.places, [&](const EntryPlace& place) {
             return note.contains(place.file + ':' + std::to_string(place.line)) ||
                    (is_named(place.file) && note.contains(place.file));
           });
  }

  Sendable sendable_;
  std::vector<Entry> hidden_;  // those that were left out
};

}  // namespace

void leave_out_private(Memory& memory, Forgotten& forgotten) {
  Telling telling(memory);
  if (telling.says_all()) return;
  for (auto* entries : {&forgotten.entries, &forgotten.still_say, &forgotten.apart}) telling.leave_out(*entries);
  telling.leave_out_files(forgotten.files);
  telling.leave_out_notes(forgotten.notes);
}

void leave_out_private(Memory& memory, Corrected& corrected) {
  Telling telling(memory);
  if (telling.says_all()) return;
  telling.leave_out(corrected.touched);
  telling.leave_out_ids(corrected.replaced);
  telling.leave_out_files(corrected.files);
  telling.leave_out_notes(corrected.notes);
}

}  // namespace loci
