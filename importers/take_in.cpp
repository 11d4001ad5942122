#include "importers/take_in.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "agents/spool.h"
#include "base/counted.h"
#include "base/hash.h"
#include "base/unicode.h"
#include "capture/pauses.h"
#include "importers/encoding.h"
#include "memory/metadata_of.h"
#include "parser/tag_names.h"
#include "parser/text_hash.h"
#include "vault/archive/append.h"

namespace loci::importers {
namespace {

// A batch ends behind the conversation that fills it.
constexpr size_t batch_entries = 10'000, batch_bytes = size_t{8} << 20;
constexpr std::chrono::days ahead{1};  // of a clock that is not ours
constexpr std::chrono::seconds patience_with_hooks{10};
constexpr size_t most_samples = 5, longest_sample = 200;

std::string as_text(std::string_view text) {
  const bool is_clean = is_valid_utf8(text) && text.find('\0') == std::string_view::npos;
  const std::string out = with_line_feeds(nfc(is_clean ? std::string(text) : scrub_utf8(text)));
  const size_t begin = out.find_first_not_of(" \t\n");
  if (begin == std::string::npos) return {};
  return out.substr(begin, out.find_last_not_of(" \t\n") - begin + 1);
}

// At most so many bytes of it, and no part of a character.
std::string_view start_of(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

constexpr size_t longest_name = 200;

// What the file system and a person's eye can bear as a name.
std::string as_name(std::string_view text) {
  std::string out;
  for (const char c : as_text(text)) out += static_cast<unsigned char>(c) < 0x20 ? '-' : c;
  return std::string(start_of(out, longest_name));
}

// In their own words, as everywhere: "two words" is that tag, and both words are. Of what is too long for a name, each word.
std::vector<std::string> as_tags(const std::vector<std::string>& written) {
  std::vector<std::string> tags;
  const auto add = [&](std::string_view words) {
    std::string spaced(words);
    std::ranges::replace_if(spaced, [](unsigned char c) { return c < 0x20; }, ' ');
    std::string tag = as_name(spaced);
    if (!tag.empty() && std::ranges::find(tags, tag) == tags.end()) tags.push_back(std::move(tag));
  };
  for (const std::string& words : written) {
    add(words);
    if (words.size() > longest_name)
      for (const std::string& word : tag_words(words)) add(word);
  }
  return tags;
}

class Taking final : public Records {
 public:
  Taking(Memory& memory, std::string_view origin, bool dry_run, const ProgressCallback& progress)
      : memory_(memory), origin_(origin), dry_run_(dry_run), progress_(progress), began_(memory.now()) {}

  Status begin() {
    kept_out_ = TRY(KeptOut::read(memory_.vault()));
    TRY(memory_.bring_up_to_date());
    return {};
  }

  // Called while bytes are read: those read so far, and all.
  void tell(std::uint64_t done, std::uint64_t total) {
    if (!progress_) return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(memory_.now() - began_).count();
    const size_t entries = taken_.imported.found + batch_.size();
    std::string what = "importing " + counted(entries, "entry", "entries");
    if (seconds > 0) what += ", " + std::to_string(entries / static_cast<size_t>(seconds)) + "/s";
    progress_({what + ", KiB", static_cast<size_t>(done >> 10), static_cast<size_t>(total >> 10)});
  }

  Status take(Record record) override {
    if (record.is_superseded) {
      skip("superseded where it comes from", start_of(as_text(record.text), longest_sample));
      return {};
    }
    TRY(hand_over_if_full());
    Metadata metadata;
    metadata.kind = record.is_summary ? EntryKind::session_summary : EntryKind::fact;
    metadata.session = as_name(record.session);
    metadata.project = as_name(record.project);
    metadata.tags = as_tags(record.tags);
    metadata.at = record.at;
    if (record.is_date_of_file) metadata.unknown.emplace_back("at_from", Json("file"));
    if (!record.provenance.empty()) metadata.unknown.emplace_back("provenance", Json(record.provenance));
    ++(record.is_summary ? taken_.summaries : taken_.facts);
    std::string text = as_text(record.text);
    const std::string key = record.key.empty() ? text : record.key;
    ExportedEntry entry = entry_of(std::move(metadata), std::move(text), key);
    entry.tells_settled = true;
    entry.is_record = !record.key.empty();
    return add(std::move(entry));
  }

  Status take(SaidTurn turn) override {
    if (turn.session != session_) TRY(hand_over_if_full());
    session_ = turn.session;
    ++taken_.turns;
    if (turn.is_kept_out) ++taken_.kept_out;
    TRY(add_side(turn, "user", turn.user));
    return add_side(turn, "assistant", turn.assistant);
  }

  bool keeps_out(const std::string& session, std::string_view text, std::optional<Instant> at) override {
    if (kept_out_.has(session, {}, text, at)) {
      if (at && !text.empty()) said_apart_.emplace(std::pair(*at, std::string(text)), session);
      return true;
    }
    return at && (said_apart_.contains(std::pair(*at, std::string(text))) || kept_out_.was_kept_out(text, *at));
  }

  Instant latest() const override { return memory_.now() + ahead; }

  void skip(std::string_view why, std::string_view which) override {
    SkippedKind& kind = taken_.skipped[std::string(why)];
    if (kind.count++ == 0) kind.which = as_name(which);
  }

  Result<TakenIn> end() {
    TRY(hand_over());
    if (!dry_run_) TRY(note_what_was_said_apart());
    return std::move(taken_);
  }

 private:
  // A copy of it may come by another import, under another name.
  Status note_what_was_said_apart() const {
    for (const auto& [said, session] : said_apart_) {
      const auto& [at, text] = said;
      if (asks_for_no_memory(text) || kept_out_.was_kept_out(text, at)) continue;
      TRY(note_private_message(memory_.vault(), session, format_rfc3339(at) + ' ' + text, text, at));
    }
    return {};
  }

  std::string id_of(std::string_view key, std::string_view part) const {
    const std::string whole = std::string(origin_) + '\0' + std::string(key) + '\0' + std::string(part);
    const auto digest = sha256(whole);
    return "i-" + hex({reinterpret_cast<const char*>(digest.data()), digest.size()}, 24);
  }

  ExportedEntry entry_of(Metadata metadata, std::string text, std::string_view key, std::string_view part = {}) const {
    metadata.id = id_of(key, part);
    metadata.source = Source::agent;
    ExportedEntry exported;
    Entry& entry = exported.entry;
    entry.id = metadata.id;
    entry.text = std::move(text);
    entry.hash = stored_text_hash(entry.text);
    entry.at = metadata.at;
    entry.source = Source::agent;
    entry.kind = metadata.kind.value_or(EntryKind::fact);
    entry.session = metadata.session;
    entry.turn = metadata.turn;
    entry.role = metadata.role;
    entry.project = metadata.project;
    entry.tags = metadata.tags;
    entry.place = Place::archive;
    exported.metadata = std::move(metadata);
    return exported;
  }

  Status add_side(const SaidTurn& turn, std::string_view role, const std::string& said) {
    std::string text = as_text(said);
    if (text.empty()) return {};
    const std::string key = turn.key.empty() ? std::to_string(turn.number) + '\n' + text : turn.key;
    Metadata metadata;
    metadata.kind = EntryKind::turn;
    metadata.session = as_name(turn.session);
    metadata.turn = turn.number;
    metadata.role = role;
    metadata.project = as_name(turn.project);
    metadata.tags = as_tags(turn.tags);
    metadata.at = turn.at;
    return add(entry_of(std::move(metadata), std::move(text), turn.session + '\n' + key, role));
  }

  Status add(ExportedEntry entry) {
    const std::string& text = entry.entry.text;
    if (text.empty()) {
      skip("a record without a text", entry.entry.id);
      return {};
    }
    if (text.size() > max_entry_bytes) {
      skip("a text of more than 1 MiB", start_of(text, longest_sample));
      return {};
    }
    if (dry_run_ && was_in_a_batch_before(entry.entry)) {
      ++taken_.imported.found;
      ++taken_.imported.known;
      return {};
    }
    if (taken_.samples.size() < most_samples) taken_.samples.emplace_back(start_of(text, longest_sample));
    bytes_ += text.size();
    batch_.push_back(std::move(entry));
    return {};
  }

  // A dry run stores nothing that the next batch would know.
  bool was_in_a_batch_before(const Entry& entry) const {
    const auto has = [&](const std::string& name) { return told_.contains(std::hash<std::string>()(name)); };
    return has(entry.id) || (entry.kind == EntryKind::fact && has(entry.hash));
  }

  void note_as_told(const std::vector<ExportedEntry>& batch) {
    for (const ExportedEntry& one : batch) {
      told_.insert(std::hash<std::string>()(one.entry.id));
      if (one.entry.kind == EntryKind::fact) told_.insert(std::hash<std::string>()(one.entry.hash));
    }
  }

  Status hand_over_if_full() { return batch_.size() < batch_entries && bytes_ < batch_bytes ? Status() : hand_over(); }

  Status hand_over() {
    if (batch_.empty()) return {};
    if (!dry_run_) TRY(take_in_what_hooks_told());
    if (!taken_.imported.searchable.yes) TRY(memory_.bring_up_to_date());  // the batch before is not in the index yet
    const auto batch = std::exchange(batch_, {});  // gone also if storing it fails: it is not tried again at the end
    bytes_ = 0;
    if (dry_run_) note_as_told(batch);
    Imported more = TRY(import_batch(memory_, batch, dry_run_));
    Imported& all = taken_.imported;
    all.found += more.found;
    all.known += more.known;
    all.archived += more.archived;
    all.consolidated += more.consolidated;
    all.updated += more.updated;
    all.open += more.open;
    std::ranges::move(more.left_out, std::back_inserter(all.left_out));
    all.searchable = std::move(more.searchable);
    return {};
  }

  // What an agent's hooks have enqueued of these conversations came first: taken in afterwards it would be there twice. Whoever
  // stores it at this moment is waited for.
  Status take_in_what_hooks_told() {
    if (count_spooled(memory_.vault()) == 0) return {};
    TRY(drain_spool(memory_, {}, patience_with_hooks));
    TRY(memory_.bring_up_to_date());
    return {};
  }

  Memory& memory_;
  const std::string_view origin_;
  const bool dry_run_;
  const ProgressCallback& progress_;
  const Instant began_;
  KeptOut kept_out_;
  std::map<std::pair<Instant, std::string>, std::string> said_apart_;  // and in which session: a copy of it stays out, too
  std::vector<ExportedEntry> batch_;
  size_t bytes_ = 0;                 // of the batch's texts
  std::string session_;              // of the last turn
  std::unordered_set<size_t> told_;  // of a dry run: hashes of the ids and texts in the batches before
  TakenIn taken_;
};

Status check_place(const path& root) {
  std::error_code error;
  (void)std::filesystem::canonical(root, error);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory)
    return fail(ErrorCode::not_found, "there is no " + root.string());
  if (error) return fail(ErrorCode::usage, root.string() + " cannot be read: " + error.message());
  return {};
}

bool is_nothing(const TakenIn& taken) { return taken.facts + taken.summaries + taken.turns == 0 && taken.skipped.empty(); }

}  // namespace

Status check_outside(const path& root, const path& vault) {
  std::error_code error;
  const path place = std::filesystem::weakly_canonical(root, error);
  if (error || std::ranges::mismatch(vault, place).in1 != vault.end()) return {};
  return fail(ErrorCode::usage, root.string() + (place == vault ? " is the vault" : " lies in the vault"),
              std::filesystem::is_directory(place, error)
                  ? "its notes are memory where they are, and need not be taken in"
                  : "move it out of the vault first: what lies there goes wherever the vault is exchanged, with all that it says");
}

Result<TakenIn> take_in(Memory& memory, std::string_view origin, ImportReader read, const ImportSource& source, bool dry_run,
                        const ProgressCallback& progress) {
  TRY(check_place(source.root));
  TRY(check_outside(source.root, memory.vault().root()));
  Taking taking(memory, origin, dry_run, progress);
  TRY(taking.begin());
  ImportSource observed = source;
  observed.vault = memory.vault().root();
  observed.progress = [&](std::uint64_t done, std::uint64_t total) { taking.tell(done, total); };
  auto read_all = read(observed, taking);
  auto taken = taking.end();  // also what was read before a failure
  std::error_code error_of_status;
  if (read_all && taken && is_nothing(*taken) && std::filesystem::is_directory(source.root, error_of_status))
    return fail(ErrorCode::not_found, "there is nothing of " + std::string(origin) + " in " + source.root.string(),
                "'loci import --help' says which folder each origin is");
  if (read_all || !taken) return read_all ? std::move(taken) : std::unexpected(std::move(read_all.error()));
  Error error = std::move(read_all.error());
  if (!dry_run && taken->imported.archived > 0) {
    if (!error.hint.empty()) error.hint += "; ";
    error.hint += "entries added that could be read: " + std::to_string(taken->imported.archived);
  }
  return std::unexpected(std::move(error));
}

}  // namespace loci::importers
