#include "operations/turn_page.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace loci {
namespace {

using Entries = std::vector<Entry>;

bool is_one_turn(const Entry& a, const Entry& b) { return a.session == b.session && a.turn == b.turn; }

bool is_newer(const Entry& a, const Entry& b) { return std::tie(a.at, a.turn, a.id) > std::tie(b.at, b.turn, b.id); }

bool is_in(const EntryFilter& filter, const Entry& entry) {
  return entry.kind == EntryKind::turn && entry.active && (!filter.since || (entry.at && *entry.at >= *filter.since)) &&
         (!filter.until || (entry.at && *entry.at < *filter.until));
}

class Pager {
 public:
  Pager(Memory& memory, Visible& visible, const EntryFilter& filter) : memory_(memory), visible_(visible), filter_(filter) {}

  Result<TurnPage> page(size_t limit, std::string after) {
    const size_t at_once = 2 * limit + 1;  // a turn is up to two entries, and one more tells whether there is more
    TurnPage page;
    while (true) {
      const auto entries = TRY(visible_.entries(at_once, [&](size_t wanted) { return recent(wanted, after); }));
      for (const Entry& entry : entries) {
        auto whole = TRY(turn_of(entry, entries));
        if (whole.back().id != entry.id) continue;  // its first words stand further back, or were looked at
        if (page.turns.size() == limit) {
          page.next = page.turns.back().id;
          return page;
        }
        page.turns.push_back(std::move(turns_of(whole).front()));
      }
      if (entries.size() < at_once) return page;
      after = entries.back().id;
    }
  }

 private:
  Result<Entries> recent(size_t wanted, const std::string& after) {
    return memory_.ask<Entries>([&](IndexReader& reader) { return reader.recent(filter_, wanted, after); });
  }

  // Newest first.
  Result<Entries> turn_of(const Entry& entry, const Entries& around) {
    if (entry.session.empty() || !entry.turn) return Entries{entry};
    Entries whole;
    const auto is_of_it = [&](const Entry& other) { return is_one_turn(entry, other); };
    std::ranges::copy_if(around, std::back_inserter(whole), is_of_it);
    const bool has_both = std::ranges::any_of(whole, [&](const Entry& other) { return other.role != entry.role; });
    if (has_both) return whole;
    whole.clear();
    std::ranges::copy_if(*TRY(session(entry.session)), std::back_inserter(whole), is_of_it);
    std::ranges::sort(whole, is_newer);
    return whole.empty() ? Entries{entry} : whole;
  }

  Result<const Entries*> session(const std::string& id) {
    const auto known = sessions_.find(id);
    if (known != sessions_.end()) return &known->second;
    auto entries = TRY(memory_.ask<Entries>([&](IndexReader& reader) { return reader.session(id); }));
    std::erase_if(entries, [&](const Entry& entry) { return !is_in(filter_, entry); });
    TRY(visible_.keep_seen(entries));
    return &sessions_.emplace(id, std::move(entries)).first->second;
  }

  Memory& memory_;
  Visible& visible_;
  const EntryFilter& filter_;
  std::map<std::string, Entries> sessions_;
};

}  // namespace

Result<TurnPage> page_of_turns(Memory& memory, Visible& visible, EntryFilter filter, size_t limit, const std::string& before) {
  filter.kinds = {EntryKind::turn};
  if (limit == 0) return TurnPage{};
  return Pager(memory, visible, filter).page(limit, before);
}

}  // namespace loci
