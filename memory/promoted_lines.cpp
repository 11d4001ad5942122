#include "memory/promoted_lines.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>

#include "base/id.h"
#include "base/unicode.h"
#include "indexer/stored_entry.h"
#include "memory/add.h"
#include "memory/may_send.h"
#include "memory/shown_entries.h"
#include "parser/conflict_lines.h"
#include "parser/core_file.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/changes/file_transaction.h"
#include "vault/git/git_operation.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

constexpr size_t all_of_them = size_t{1} << 30;

// Whether anything could be out of step, without reading the logs: they grow.
Result<bool> may_be_out_of_step(Memory& memory, const CoreSection& core) {
  for (const CoreLine& line : core.lines) {
    if (line.ref.empty()) continue;
    const auto entry = TRY(entry_with_id(memory, line.ref));
    if (!entry || !entry->active || as_core_line(entry->text) != as_core_line(line.text)) return true;
    if (!memory.vault().config().never_send.empty()) return true;
  }
  return false;
}

class Stepping {
 public:
  Stepping(Memory& memory, const LinesToFollow& follow, std::set<std::string> reworded, Chronicle chronicle,
           const Freshness& freshness)
      : memory_(memory),
        follow_(follow),
        reworded_(std::move(reworded)),
        chronicle_(std::move(chronicle)),
        sendable_(memory),
        shown_entries_(memory, chronicle_, follow.ended, freshness.fresh()) {}

  // The file with its lines in step.
  Result<std::string> plan(std::string_view file) {
    const auto core = TRY(read_core(file));
    std::vector<CoreLineEdit> edits;
    stood_.clear();
    shown_texts_.clear();
    for (const CoreLine& line : core.lines) {
      stood_.insert(line.ref);
      ++shown_texts_[as_core_line(line.text)];
    }
    shown_ = stood_;
    const auto held = lines_in_conflict(file);  // each side is as a person is to see it
    for (const CoreLine& line : core.lines)
      if (!line.ref.empty() && !held.contains(line.line))
        if (auto edit = TRY(edit_of(line))) edits.push_back(std::move(*edit));
    auto bytes = TRY(that_fits(file, edits));
    auto back = TRY(lines_back(bytes, core));
    if (!back.empty()) bytes = TRY(replace_core_lines(bytes, {}, back));
    promotion_ = promotion_of(edits, back);
    return bytes;
  }

  const PromotedLines& promotion() const { return promotion_; }  // that goes with what was planned last

 private:
  Result<std::optional<CoreLineEdit>> edit_of(const CoreLine& line) {
    const auto written = chronicle_.promoted().find(line.ref);
    const std::string hash = stored_text_hash(line.text);
    const Tombstone* removed = chronicle_.tombstone_of(line.ref);
    const auto [entry, is_gone] = TRY(shown_entries_.of(line));
    const bool is_removed = removed && removes(*removed);
    const bool is_theirs =
        is_removed && entry && reworded_.contains(line.ref) && refs_of_line(chronicle_, reworded_, line.ref).back() == entry->id;
    // What says word for word what was corrected is nobody's wording, though no promotion is known that wrote it.
    const bool is_ours = !is_theirs && (chronicle_.has_promoted(line.ref, hash) || (is_removed && removed->text_hash == hash));
    const std::string text = entry ? as_core_line(entry->text) : std::string();
    const bool is_same_text = text == as_core_line(line.text);
    // What took the entry's place was made of these words, and somebody has changed it since.
    const bool is_left_behind = is_removed && entry && !is_same_text && chronicle_.has_written(entry->id, hash);
    if (!is_ours && !is_left_behind) {
      if (!entry || entry->id == line.ref || !is_same_text) return std::nullopt;
      // Another line shows it already, as where two machines have reworded one alike.
      if (!shown_.insert(entry->id).second) return CoreLineEdit{line.ref, line.text, std::nullopt};
      return CoreLineEdit{line.ref, line.text, NewCoreLine{entry->id, text}};
    }
    if (!entry) return is_gone ? std::optional(CoreLineEdit{line.ref, line.text, std::nullopt}) : std::nullopt;
    const bool is_said_by_hand = entry->place == Place::core;  // in a line of a person's own of the same file
    const bool is_same = entry->id == line.ref;
    const auto may_stand = TRY(may_be_shown(*entry));
    if (is_said_by_hand || !may_stand || (!is_same && (was_taken_out(entry->id) || !is_shown_first(*entry, line))))
      return CoreLineEdit{line.ref, line.text, std::nullopt};
    if (is_same && (is_same_text || written == chronicle_.promoted().end() || !TRY(has_changed(*entry, written->second))))
      return std::nullopt;
    if (!fits_core_line(entry->id, text)) return CoreLineEdit{line.ref, line.text, std::nullopt};
    return CoreLineEdit{line.ref, line.text, NewCoreLine{entry->id, text}};
  }

  // By a person, who is not shown it in the place of another line: no promotion says that loci has dropped it.
  bool was_taken_out(const std::string& id) const {
    const auto written = chronicle_.promoted().find(id);
    return written != chronicle_.promoted().end() && written->second.stands && !stood_.contains(id);
  }

  // In the place of this line: another one may show it, or an equal text, already.
  bool is_shown_first(const Entry& entry, const CoreLine& line) {
    const std::string text = as_core_line(entry.text);
    int& lines = shown_texts_[text];
    const int others = lines - (text == as_core_line(line.text) ? 1 : 0);
    if (others > 0 || !shown_.insert(entry.id).second) return false;
    ++lines;
    return true;
  }

  Result<bool> may_be_shown(const Entry& entry) {
    if (chronicle_.is_demoted(entry.id)) return false;
    return sendable_.may_send(entry);
  }

  // Since its line was written. What stands there now is a person's text, or loci's newest: an older one came with an old buffer.
  Result<bool> has_changed(const Entry& entry, const CoreLineWritten& written) {
    if (std::ranges::find(follow_.changed, entry.id) != follow_.changed.end()) return true;
    if (!entry.edited && !chronicle_.explains_text(entry.id, entry.hash)) return false;
    // Only a run shortens. What was brought in step said all that the entry said: words that no run has filed, and that were
    // taken back.
    if (!entry.edited && written.run.starts_with(in_step_run)) return true;
    std::string_view then;
    for (const LedgerEntry* line : chronicle_.lines_of_entry(entry.id))
      if (line->entry == entry.id && !line->entry_hash.empty() && line->at <= written.at) then = line->entry_hash;
    if (then.empty() ? !entry.edited : then == entry.hash) return false;
    if (!entry.edited) return true;
    const auto much = TRY(is_much_changed(entry.places.front().file));
    return !much;
  }

  // More than a person edits entry by entry is a question to them. What was understood is none any more.
  Result<bool> is_much_changed(const std::string& file) {
    const auto known = much_changed_.find(file);
    if (known != much_changed_.end()) return known->second;
    EntryFilter filter;
    filter.file = file;
    const auto entries =
        TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, all_of_them); }));
    const auto understood = TRY(understood_texts(file));
    const auto edited = static_cast<size_t>(std::ranges::count_if(entries, [&](const Entry& entry) {
      return entry.edited && !understood.contains({entry.id, entry.hash}) &&
             std::ranges::find(follow_.changed, entry.id) == follow_.changed.end();
    }));
    return much_changed_[file] = is_wholesale(edited, entries.size());
  }

  using Texts = std::set<std::pair<std::string, std::string>>;  // id and hash
  Result<Texts> understood_texts(const std::string& file) {
    Texts texts;
    for (const Version& version : TRY(versions_of(memory_.vault(), file)) | std::views::reverse) {
      if (version.kind != Version::Kind::understood) continue;
      const auto bytes = TRY(bytes_of(memory_.vault(), file, version));
      for (const ParsedEntry& entry : parse(bytes.value_or(std::string())).entries) texts.emplace(entry.id, entry.hash);
      break;
    }
    return texts;
  }

  // Where the new texts are too long for the prompt, the last ones that grew go.
  static Result<std::string> that_fits(std::string_view file, std::vector<CoreLineEdit>& edits) {
    const size_t lost = core_injection(file).lost.size();
    while (true) {
      auto bytes = TRY(edit_core_lines(file, edits));
      if (core_injection(bytes).lost.size() <= lost) return bytes;
      const auto has_grown = [](const CoreLineEdit& edit) {
        return edit.now && edit.now->text.size() > as_core_line(edit.text).size();
      };
      const auto grown = std::ranges::find_if(edits.rbegin(), edits.rend(), has_grown);
      if (grown == edits.rend()) return bytes;
      grown->now.reset();
    }
  }

  // Its line was taken out because the text was gone, and by nobody else.
  bool went_with_its_text(const std::string& id) const {
    const auto is_demoted = [&](const LedgerEntry* line) { return line->into == id && chronicle_.is_demoted(line->entry); };
    if (chronicle_.is_demoted(id) || std::ranges::any_of(chronicle_.lines_of_entry(id), is_demoted)) return false;
    for (const PromotedLines& promotion : chronicle_.logs().promotions | std::views::reverse) {
      if (std::ranges::find(promotion.lines, id, &std::pair<std::string, std::string>::first) != promotion.lines.end())
        return false;
      const auto& dropped = promotion.dropped.value_or(std::vector<std::string>());
      if (std::ranges::find(dropped, id) != dropped.end()) return promotion.run.starts_with(in_step_run);
    }
    return false;
  }

  Result<std::vector<NewCoreLine>> lines_back(std::string_view file, const CoreSection& before) {
    std::vector<NewCoreLine> lines;
    const auto most = static_cast<size_t>(std::max<std::int64_t>(memory_.vault().config().consolidation.memory_max_lines, 0));
    size_t characters = core_injection(file).characters + 2;
    for (const std::string& id : follow_.back) {
      const auto entry = TRY(entry_with_id(memory_, id));
      if (!entry || !entry->active || shown_.contains(id) || (is_hash_id(id) && !went_with_its_text(id))) continue;
      const auto may_stand = TRY(may_be_shown(*entry));
      const std::string text = as_core_line(entry->text);
      characters += count_code_points(text) + 3;  // bullet, blank, line end
      const bool fits = characters <= core_injection_limit && before.lines.size() + lines.size() < most;
      if (may_stand && fits && fits_core_line(id, text)) lines.push_back({id, text});
    }
    return lines;
  }

  PromotedLines promotion_of(const std::vector<CoreLineEdit>& edits, const std::vector<NewCoreLine>& back) const {
    PromotedLines promoted{std::max<std::int64_t>(chronicle_.generation(), 1), follow_.run, memory_.now(), {}, {}};
    promoted.dropped.emplace();
    for (const CoreLineEdit& edit : edits) {
      if (!edit.now || edit.now->ref != edit.ref) promoted.dropped->push_back(edit.ref);
      if (edit.now) promoted.lines.emplace_back(edit.now->ref, stored_text_hash(edit.now->text));
    }
    for (const NewCoreLine& line : back) promoted.lines.emplace_back(line.ref, stored_text_hash(line.text));
    return promoted;
  }

  Memory& memory_;
  const LinesToFollow& follow_;
  const std::set<std::string> reworded_;
  const Chronicle chronicle_;
  Sendable sendable_;
  ShownEntries shown_entries_;
  std::set<std::string> stood_;             // refs that stand in the core
  std::set<std::string> shown_;             // and those that will
  std::map<std::string, int> shown_texts_;  // in how many lines a text does
  std::map<std::string, bool> much_changed_;
  PromotedLines promotion_;
};

// What git is writing, or has written while it was read, are files of two commits: the lines of one and the entries of the other.
Status check_git_stands_still(const Vault& vault, const std::string& marks) {
  if (!git_is_writing_around(vault.root()) && git_fingerprint_around(vault.root()) == marks) return {};
  return fail(ErrorCode::refused, std::string(core_file_name) + " is not rewritten while git is writing", "try again");
}

// False: nothing to do. The file comes before the promotion that tells of it: what finds the one without the other, be it killed in
// between, finds lines that say what their entries say.
Result<bool> write_in_step(Memory& memory, const LinesToFollow& follow) {
  const Vault& vault = memory.vault();
  PromotedLines promotion;
  const std::string marks = git_fingerprint_around(vault.root());
  TRY(check_git_stands_still(vault, marks));
  if (!follow.git_moves.empty() && git_moves_around(vault.root()) != follow.git_moves) return false;
  const auto in_step = [&](std::string_view bytes) -> Result<std::string> {
    // Only now: logs and index that are older than these bytes would take out a line that somebody restored in between.
    const Freshness freshness = TRY(memory.bring_up_to_date());
    auto reworded = follow.reworded ? TRY(follow.reworded()) : std::set<std::string>();
    Stepping stepping(memory, follow, std::move(reworded), TRY(Chronicle::read(vault)), freshness);
    auto after = TRY(stepping.plan(bytes));
    promotion = stepping.promotion();
    TRY(check_git_stands_still(vault, marks));
    return after;
  };
  auto change = TRY(planned_change(vault, core_file_name, in_step));
  if (!change) return false;
  FileTransaction transaction{.id = make_id(memory.now()), .files = {std::move(*change)}, .promotion = std::move(promotion)};
  // Another process may do the same in the same millisecond: after a kill it must be known whose promotion was told.
  if (follow.run.empty()) transaction.promotion->run = std::string(in_step_run) + transaction.id;
  TRY(commit(vault, transaction));
  return true;
}

}  // namespace

bool fits_core_line(const std::string& ref, const std::string& line) {
  return !line.empty() && count_code_points(line) <= longest_core_line && can_be_core_line({ref, line});
}

std::vector<std::string> refs_of_line(const Chronicle& logs, const std::set<std::string>& reworded, const std::string& ref) {
  std::vector<std::string> refs{ref};
  const auto next_of = [&](const std::string& one) {
    const auto& next = logs.successors_of(one);
    return reworded.contains(one) && next.size() == 1 ? *next.begin() : logs.twin_of(one);
  };
  for (auto next = next_of(ref); !next.empty() && std::ranges::find(refs, next) == refs.end(); next = next_of(refs.back()))
    refs.emplace_back(next);
  return refs;
}

Result<bool> bring_lines_in_step(Memory& memory, const LinesToFollow& follow) {
  const Vault& vault = memory.vault();
  const auto file = TRY(read_file_if_any(vault.files(), vault.file(core_file_name)));
  const auto core = file ? read_core(*file) : std::unexpected(Error{});
  if (!core) return false;
  if (std::ranges::all_of(core->lines, &std::string::empty, &CoreLine::ref) && follow.back.empty()) return false;
  TRY(memory.bring_up_to_date());  // what was edited by hand since, without a daemon
  const auto may_be = TRY(may_be_out_of_step(memory, *core));
  if (!may_be && follow.back.empty()) return false;
  auto changed = write_in_step(memory, follow);
  // Somebody saved meanwhile, or another process of ours has done it already.
  for (int left = 2; !changed && changed.error().code == ErrorCode::refused && left > 0; --left)
    changed = write_in_step(memory, follow);
  if (changed && *changed) make_searchable(memory, {core_file_name});
  return changed;
}

void bring_lines_in_step(Memory& memory, const LinesToFollow& follow, std::vector<std::string>& files,
                         std::vector<std::string>& notes) {
  const auto changed = bring_lines_in_step(memory, follow);
  if (!changed)
    notes.push_back(std::string(core_file_name) + " may still show what was: " + changed.error().message);
  else if (*changed && std::ranges::find(files, core_file_name) == files.end())
    files.emplace_back(core_file_name);
}

}  // namespace loci
