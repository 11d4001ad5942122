#include "memory/doctor.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <tuple>

#include "base/counted.h"
#include "memory/may_send.h"
#include "memory/private_tag.h"
#include "memory/purge.h"
#include "memory/purge_stores.h"
#include "memory/status.h"
#include "parser/conflict_lines.h"
#include "parser/core_file.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/displaced.h"
#include "vault/rewrite/recovery.h"

namespace loci {
namespace {

// An unfinished write of another process may be under way; of one that died there is nothing to wait for.
constexpr std::chrono::minutes leftover_age{1};
constexpr int most_comparisons = 3;
constexpr size_t all_of_them = size_t{1} << 30;

std::string permissions_text(mode_t mode) {
  const char digits[] = {static_cast<char>('0' + (mode >> 6 & 7)), static_cast<char>('0' + (mode >> 3 & 7)),
                         static_cast<char>('0' + (mode & 7)), '\0'};
  return digits;
}

Result<std::vector<Difference>> those_that_stay(const std::vector<Difference>& before, Result<std::vector<Difference>> now) {
  const auto all_of = [](const Difference& each) { return std::tie(each.id, each.file, each.line, each.what); };
  const auto is_new = [&](const Difference& each) { return std::ranges::find(before, all_of(each), all_of) == before.end(); };
  if (now) std::erase_if(*now, is_new);
  return now;
}

// What is marked private and is not: one problem, at the first of them.
class OpenTags {
 public:
  explicit OpenTags(const Config& config) : tag_(config) {}

  void examine(const Entry& entry) {
    if (!tag_.is_on(entry)) return;
    if (count_++ == 0) first_ = entry.places.front();
  }

  std::optional<Problem> problem() const {
    if (count_ == 0) return std::nullopt;
    return Problem{first_.file, first_.line, "open-private-tag", OpenPrivateTag::warning(count_)};
  }

 private:
  OpenPrivateTag tag_;
  EntryPlace first_;
  size_t count_ = 0;
};

class Examination {
 public:
  Examination(Memory& memory, bool repair, std::span<const Store> stores, const ProgressCallback& progress)
      : memory_(memory),
        repair_(repair),
        stores_(stores),
        progress_(progress),
        sendable_(memory),
        open_tags_(memory.vault().config()) {}

  Result<DoctorReport> run() {
    TRY(examine_index());
    auto problems = TRY(vault_problems(memory_.vault()));
    report_.problems = std::move(problems);
    if (auto reader = memory_.reader())
      for (Problem& problem : (*reader)->problems())
        if (std::ranges::find(report_.problems, problem) == report_.problems.end()) report_.problems.push_back(std::move(problem));
    examine_core();
    TRY(examine_entries());
    examine_state_folder();
    const bool quiet = nobody_writes();
    examine_leftovers(quiet);
    examine_state_leftovers(quiet);
    examine_purged();
    std::ranges::stable_sort(report_.problems, {}, [](const Problem& problem) { return std::pair(problem.file, problem.line); });
    return std::move(report_);
  }

 private:
  Status examine_index() {
    auto freshness = TRY(memory_.bring_up_to_date(progress_));
    report_.freshness = freshness;
    auto differences = lasting_differences();
    if (differences && differences->empty()) return {};
    const std::string reason = differences ? counted(differences->size(), "difference", "differences") + " from a fresh scan"
                                           : differences.error().message;
    if (!repair_) {
      if (!differences) return std::unexpected(differences.error());
      report_.differences = std::move(*differences);
      return {};
    }
    TRY(memory_.reindex(true, progress_));
    report_.repaired.push_back("built the index anew: it had " + reason);
    auto again = TRY(lasting_differences());
    report_.differences = std::move(again);
    return {};
  }

  // What others write while index and files are compared is no damage. Once the index has taken it in, it does not differ again;
  // and what is said of the index as a whole (its averages) tells nothing if the index changes meanwhile.
  Result<std::vector<Difference>> lasting_differences() {
    auto size = size_of_index();
    auto differences = compare_with_fresh_scan(memory_.vault(), progress_);
    for (int again = 0; differences && !differences->empty(); ++again) {
      if (!memory_.take_in({})) break;
      if (std::exchange(size, size_of_index()) != size)
        std::erase_if(*differences, [](const Difference& each) { return each.id.empty() && each.file.empty(); });
      if (differences->empty() || again == most_comparisons) break;
      differences = those_that_stay(*differences, compare_with_fresh_scan(memory_.vault(), progress_));
    }
    return differences;
  }

  std::pair<std::uint64_t, std::uint64_t> size_of_index() {
    memory_.drop_reader();
    const auto reader = memory_.reader();
    if (!reader) return {};
    const Statistics counts = (*reader)->statistics();
    return {counts.turns.entries + counts.rest.entries, counts.turns.text_length + counts.rest.text_length};
  }

  // A crash between tombstone and rewrite leaves a line in the prompt that should be gone.
  void examine_core() {
    const Vault& vault = memory_.vault();
    const auto bytes = read_file_if_any(vault.files(), vault.file(core_file_name));
    const auto chronicle = Chronicle::read(vault);
    if (!bytes || !*bytes || !chronicle) return;
    const auto core = read_core(**bytes);
    if (!core) return;
    const auto held = lines_in_conflict(**bytes);
    for (const CoreLine& line : core->lines) {
      if (line.ref.empty() || !shows_what_is_gone(line, *chronicle)) continue;
      const bool is_corrected = chronicle->fate_of(line.ref).kind == Fate::Kind::corrected;
      report_.problems.push_back(
          {core_file_name, line.line, "forgotten-line",
           "shows '" + line.ref + "', which was " + (is_corrected ? "corrected: " : "forgotten: ") + what_takes_out(line, held)});
    }
  }

  // An entry that stands in no file any more cannot be forgotten again.
  std::string what_takes_out(const CoreLine& line, const std::set<int>& held) {
    if (held.contains(line.line)) return "'loci resolve " + std::string(core_file_name) + "' settles git's conflict around it";
    const auto entry = entry_with_id(memory_, line.ref);
    if (entry && *entry) return "'loci forget " + line.ref + "' takes it out";
    return "the next command that writes, or the daemon, takes it out";
  }

  // What was edited without knowing that it was deleted is found, and may be shown in the words that it has since. Words that loci
  // did not write are a person's, who may be asked about them.
  bool shows_what_is_gone(const CoreLine& line, const Chronicle& chronicle) {
    const std::string hash = stored_text_hash(line.text);
    const Tombstone* end = chronicle.tombstone_of(line.ref);
    if (chronicle.has_promoted_otherwise(line.ref, hash) && !(end && end->text_hash == hash)) return false;
    const auto found = memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(line.ref, 1); });
    if (!found || found->empty() || found->front().id != line.ref) return chronicle.is_removed(line.ref);
    const Entry& entry = found->front();
    return !entry.active || (chronicle.is_removed(line.ref) && stored_text_hash(line.text) != entry.hash);
  }

  // Everything that is said of single entries is found in one walk.
  Status examine_entries() {
    EntryFilter filter;
    filter.inactive = true;
    // At once: what others write meanwhile would leave no place to go on from.
    const auto entries =
        TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, all_of_them); }));
    for (const Entry& entry : entries) {
      if (!entry.active) {
        examine_forgotten(entry);
        continue;
      }
      open_tags_.examine(entry);
      TRY(count_kept(entry));
    }
    if (auto problem = open_tags_.problem()) report_.problems.push_back(std::move(*problem));
    return {};
  }

  // As in the core, in consolidated/: nobody finds it any more, but whoever opens the file reads it.
  void examine_forgotten(const Entry& entry) {
    if (entry.place != Place::consolidated || !entry.has_metadata) return;
    const EntryPlace& place = entry.places.front();
    report_.problems.push_back({place.file, place.line, "forgotten-text",
                                "'" + entry.id + "', or a fact that it rests on, was forgotten or corrected: 'loci forget " +
                                    entry.id + "' takes it out"});
  }

  Status count_kept(const Entry& entry) {
    if (!sendable_.has_rules() || TRY(sendable_.may_send(entry))) return {};
    for (const EntryPlace& place : entry.places) ++report_.kept_from_agents[place.file];
    return {};
  }

  // What nobody keeps here is an earlier version's: it is closed, too.
  void examine_state_folder() {
    const path& folder = memory_.vault().state_folder();
    std::error_code error;
    examine_mode(folder, 0700);
    for (const auto& item : std::filesystem::recursive_directory_iterator(folder, error)) {
      if (item.is_symlink(error)) continue;
      const Store* store = store_of(stores_, StoreRoot::state, item.path().lexically_relative(folder).string());
      if (!store || store->permissions == Permissions::owner) examine_mode(item.path(), item.is_directory(error) ? 0700 : 0600);
    }
  }

  void examine_mode(const path& file, mode_t wanted) {
    struct stat info{};
    if (::lstat(file.c_str(), &info) != 0) return;
    const mode_t open_to_others = info.st_mode & 077;
    if (open_to_others == 0) return;
    const std::string was = permissions_text(info.st_mode);
    if (repair_ && ::chmod(file.c_str(), wanted) == 0)
      report_.repaired.push_back("closed " + file.string() + " to others (it was " + was + ")");
    else
      report_.problems.push_back(
          {file.string(), 0, "permissions", "open to other users (" + was + "): 'loci doctor --repair' closes it"});
  }

  bool nobody_writes() { return Indexer::open(memory_.vault(), std::chrono::milliseconds(0)).has_value(); }

  // Since it got its name: in the middle of a write, a file of any age stands there, which was exchanged a moment ago.
  bool is_old(const std::filesystem::directory_entry& item) {
    struct stat info{};
    if (::lstat(item.path().c_str(), &info) != 0) return false;
    const std::chrono::sys_seconds changed{std::chrono::seconds(info.st_ctim.tv_sec)};
    return memory_.vault().clock().now() - changed >= leftover_age;
  }

  void examine_leftovers(bool quiet) {
    if (repair_) finish_unfinished_writes();
    std::error_code error;
    for (const auto& item : std::filesystem::directory_iterator(memory_.vault().temporary_folder(), error))
      if (is_old(item) && !is_displaced_name(item.path().filename().string())) examine_leftover(item.path(), quiet);
  }

  void finish_unfinished_writes() {
    const auto recovery = recover_writes(memory_.vault());
    if (!recovery) return;  // git or another process is busy: what is left is reported below
    for (const std::string& file : recovery->put_back)
      report_.repaired.push_back("put a save that an unfinished write had displaced back into " + file);
    for (const std::string& file : recovery->conflict_files)
      report_.repaired.push_back("put a save that lost against another one into " + file);
    if (recovery->leftovers > 0)
      report_.repaired.push_back("removed " + counted(recovery->leftovers, "file", "files") + " that unfinished writes left");
  }

  // Only what stands elsewhere too, or was purged, is removed: an editor's save that lost against a write of ours may be there and
  // nowhere else.
  void examine_leftover(const path& file, bool quiet) {
    const Vault& vault = memory_.vault();
    const std::string name = ".loci/tmp/" + file.filename().string();
    const auto bytes = read_file(vault.files(), file);
    if (repair_ && quiet && bytes && (stands_in_the_vault(*bytes) || says_nothing_new(*bytes)) && vault.files().remove(file)) {
      report_.repaired.push_back("removed " + name + ", which an unfinished write left");
      return;
    }
    report_.problems.push_back(
        {name, 0, "unfinished-write",
         repair_
             ? "holds text that stands nowhere else: compare it with the file it is named after, then remove it"
             : "left by a write that did not finish, and may hold what was purged: 'loci doctor --repair' removes it if it is a "
               "copy"});
  }

  // Every entry of it is known, or was forgotten or purged under its id.
  bool says_nothing_new(const std::string& bytes) {
    const auto chronicle = Chronicle::read(memory_.vault());
    if (!chronicle) return false;
    return std::ranges::all_of(parse(bytes).entries, [&](const ParsedEntry& entry) {
      if (chronicle->is_removed(entry.id)) return true;
      const auto known = memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(entry.id, 1); });
      return known && !known->empty() && known->front().id == entry.id && known->front().hash == entry.hash;
    });
  }

  // A rewrite of a journal or a log that a crash cut off: the file itself is whole, and what is left may hold what was purged.
  void examine_state_leftovers(bool quiet) {
    std::error_code error;
    std::vector<path> left;
    for (const auto& item : std::filesystem::recursive_directory_iterator(memory_.vault().state_folder(), error))
      if (item.is_regular_file(error) && item.path().filename().string().find(".tmp-") != std::string::npos && is_old(item))
        left.push_back(item.path());
    for (const path& file : left) {
      if (repair_ && quiet && memory_.vault().files().remove(file))
        report_.repaired.push_back("removed " + file.string() + ", which an unfinished write left");
      else
        report_.problems.push_back(
            {file.string(), 0, "unfinished-write", "left by a write that did not finish: 'loci doctor --repair' removes it"});
    }
  }

  // What was purged under its id and is said again: a purge that could not change a file, or a copy that came back later.
  void examine_purged() {
    const Vault& vault = memory_.vault();
    const auto logs = read_logs(vault);
    std::vector<PurgedEntry> ids = logs ? purged_ids(*logs) : std::vector<PurgedEntry>();
    if (ids.empty()) return;
    const PurgedText text(std::move(ids));
    if (repair_) {
      StoresPurged purged;
      purge_stores(vault, stores_, text, purged);
      for (const auto* files : {&purged.files, &purged.state_files})
        for (const std::string& file : *files) report_.repaired.push_back("took what was purged out of " + file);
    }
    for (const StoredFile& held : stored_files_with(vault, stores_, text))
      report_.problems.push_back(
          {held.name, 0, "purged-text", "still holds something of an entry that was purged: 'loci doctor --repair' takes it out"});
  }

  bool stands_in_the_vault(const std::string& bytes) {
    const Vault& vault = memory_.vault();
    std::error_code error;
    std::filesystem::recursive_directory_iterator walk(vault.root(), error);
    for (; !error && walk != std::filesystem::recursive_directory_iterator(); walk.increment(error)) {
      if (walk->path().filename() == ".git" || walk->path() == vault.temporary_folder()) walk.disable_recursion_pending();
      if (!walk->is_regular_file(error) || walk->file_size(error) != bytes.size()) continue;
      if (const auto other = read_file(vault.files(), walk->path()); other && *other == bytes) return true;
    }
    return false;
  }

  Memory& memory_;
  bool repair_;
  std::span<const Store> stores_;
  const ProgressCallback& progress_;
  Sendable sendable_;
  OpenTags open_tags_;
  DoctorReport report_;
};

}  // namespace

Result<DoctorReport> examine_vault(Memory& memory, bool repair, std::span<const Store> stores, const ProgressCallback& progress) {
  return Examination(memory, repair, stores, progress).run();
}

}  // namespace loci
