#include "edits/answers.h"

#include <algorithm>
#include <iterator>

#include "edits/absences.h"
#include "edits/act_log.h"
#include "edits/acts.h"
#include "edits/earlier_names.h"
#include "edits/question_record.h"
#include "memory/add.h"
#include "memory/forget.h"
#include "memory/removal.h"
#include "memory/restore.h"
#include "memory/vault_logs.h"
#include "vault/git/git_exchange.h"
#include "vault/git/git_operation.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/versions.h"
#include "vault/rewrite/write_names.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds lock_patience{10'000};
constexpr JsonLimits record_limits{.bytes = size_t{64} << 20};

path folder_of(const Vault& vault) { return vault.state_folder() / "edits" / "answers"; }

// The name of the copy of a file in the answer's folder.
std::string name_of_copy(size_t number) { return std::to_string(number) + ".md"; }

// Empty for a file that is not there.
Result<std::string> present_hash(const Vault& vault, const std::string& file) {
  const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
  return bytes ? content_hash(*bytes) : std::string();
}

// The commit that is checked out, and what git is in the middle of.
std::string git_place_of(const Vault& vault) {
  const auto operation = git_operation_around(vault.root());
  return git_head_around(vault.root()) + ' ' + (operation ? operation->marker : "");
}

GitExchange git_of(const Vault& vault) { return {vault.root(), vault.temporary_folder(), {}}; }

Json record_of_answer(const GivenAnswer& answer, const std::vector<std::string>& became) {
  Json json = Json::object(), files = Json::array(), ended = Json::array(), corrected = Json::array();
  for (size_t i = 0; i < answer.files.size(); ++i) {
    Json one = Json::object();
    one.add_unchecked("file", answer.files[i].file);
    one.add_unchecked("was_there", answer.files[i].bytes.has_value());
    one.add_unchecked("made_from", answer.files[i].made_from);
    one.add_unchecked("known_until", format_rfc3339(answer.files[i].known_until));
    one.add_unchecked("became", became[i]);
    files.push_back(std::move(one));
  }
  for (const Tombstone& tombstone : answer.ended) {
    Json one = Json::object();
    one.add_unchecked("id", tombstone.id);
    one.add_unchecked("hash", tombstone.text_hash);
    ended.push_back(std::move(one));
  }
  for (const auto& [was, is] : answer.corrected) {
    Json one = Json::object();
    one.add_unchecked("was", was);
    one.add_unchecked("is", is);
    corrected.push_back(std::move(one));
  }
  json.add_unchecked("given", answer.given);
  json.add_unchecked("files", std::move(files));
  if (answer.question) json.add_unchecked("question", record_of(*answer.question));
  json.add_unchecked("ended", std::move(ended));
  json.add_unchecked("counted", answer.counted);
  json.add_unchecked("corrected", std::move(corrected));
  json.add_unchecked("unmerged", answer.unmerged);
  json.add_unchecked("git_place", answer.git_place);
  return json;
}

struct AnswerOnDisk {
  GivenAnswer answer;
  std::vector<std::string> became;  // of each file its hash behind the answer; empty: it was gone
};

Result<AnswerOnDisk> read_answer(const Vault& vault, const std::string& id) {
  const path folder = folder_of(vault) / id;
  const auto bytes = TRY(read_file_if_any(vault.files(), folder / "answer.json"));
  const auto json = bytes ? parse_json(*bytes, record_limits) : fail(ErrorCode::refused, "");
  if (!json) return fail(ErrorCode::refused, "what '" + id + "' came to is no longer kept");
  AnswerOnDisk kept;
  kept.answer.given = json->text_at("given");
  for (const Json& one : json->array_at("files")) {
    FileBefore& file = kept.answer.files.emplace_back(
        FileBefore{one.text_at("file"), {}, one.text_at("made_from"), parse_time(one.text_at("known_until")).value_or(Instant{})});
    kept.became.push_back(one.text_at("became"));
    const Json* was_there = one.find("was_there");
    if (was_there && was_there->as_bool() && *was_there->as_bool())
      file.bytes = TRY(read_file(vault.files(), folder / name_of_copy(kept.became.size() - 1)));
  }
  if (kept.answer.files.empty()) return fail(ErrorCode::refused, "what '" + id + "' came to cannot be read");
  if (const Json* question = json->find("question"))
    kept.answer.question = question_from_record(*question, kept.answer.files.front().file);
  for (const Json& one : json->array_at("ended"))
    kept.answer.ended.push_back({{}, one.text_at("id"), one.text_at("hash"), Tombstone::Reason::deleted, "user", {}});
  kept.answer.counted = json->texts_at("counted");
  kept.answer.unmerged = json->texts_at("unmerged");
  kept.answer.git_place = json->text_at("git_place");
  for (const Json& one : json->array_at("corrected")) kept.answer.corrected.emplace_back(one.text_at("was"), one.text_at("is"));
  return kept;
}

// Answers of which the acts are older than the versions.
void prune_answers(const Vault& vault) {
  std::error_code error;
  for (const auto& folder : std::filesystem::directory_iterator(folder_of(vault), error)) {
    const auto written = std::filesystem::last_write_time(folder.path(), error);
    if (!error && std::filesystem::file_time_type::clock::now() - written > versions_keep)
      std::filesystem::remove_all(folder.path(), error);
  }
}

// The newest version that is known of the file is that which it was compared with in front of the answer: what stands there is a
// save again.
Status know_as_before(const Vault& vault, const FileBefore& before) {
  if (before.made_from.empty()) return {};
  const auto bytes = TRY(bytes_of(vault, before.file, Version{Version::Kind::understood, before.made_from, 0, {}}));
  return bytes ? note_version(vault, before.file, Version::Kind::understood, *bytes) : Status();
}

// And so are those that were noted from then until the answer: they tell what loci wrote meanwhile.
Status know_what_came(const Vault& vault, const FileBefore& before) {
  const auto versions = TRY(versions_of(vault, before.file));
  auto one = std::ranges::find(versions, before.made_from, &Version::hash);
  for (auto later = one; later != versions.end() && later->at <= before.known_until; ++later)
    if (later->hash == before.made_from) one = later;
  for (; one != versions.end() && one->at <= before.known_until; ++one)
    if (const auto bytes = TRY(bytes_of(vault, before.file, *one))) TRY(note_version(vault, before.file, one->kind, *bytes));
  return {};
}

// What the answer ended counts again, and of what it said that it counts is deleted again.
Status turn_tombstones(const Vault& vault, const GivenAnswer& answer) {
  const auto logs = TRY(Chronicle::read(vault));
  const Instant at = next_tombstone_time(vault, logs.logs());
  std::vector<Tombstone> lines;
  for (const Tombstone& one : answer.ended) lines.push_back({at, one.id, one.text_hash, Tombstone::Reason::restored, "user", {}});
  for (const std::string& id : answer.counted) {
    const Tombstone* last = nullptr;
    for (const Tombstone& line : logs.logs().tombstones)
      if (line.id == id && removes(line) && (!last || line.at >= last->at)) last = &line;
    if (!last || logs.is_removed(id)) continue;
    Tombstone& line = lines.emplace_back(*last);
    line.at = at;
  }
  return lines.empty() ? Status() : append_tombstones(vault, lines);
}

// Facts of entries that stood nowhere rest on them again.
Status settle_again(const Vault& vault, const Question& question) {
  const auto logs = TRY(Chronicle::read(vault));
  std::vector<LedgerEntry> lines;
  for (const Absence& gone : question.gone)
    for (const LedgerEntry* undone : logs.lines_of_run(act_id(gone.id, gone.hash, {}))) {
      if (undone->outcome != LedgerEntry::Outcome::undone) continue;
      const LedgerEntry* settled = nullptr;
      for (const LedgerEntry& line : logs.logs().ledger)
        if (line.fact == undone->fact && line.entry == undone->entry && line.outcome != LedgerEntry::Outcome::undone)
          settled = &line;
      if (!settled) continue;
      LedgerEntry& line = lines.emplace_back(*settled);
      line.at = next_ledger_time(vault, logs);
    }
  return lines.empty() ? Status() : append_ledger(vault, lines);
}

bool is_done_already(const Error& error) { return error.code == ErrorCode::not_found || error.code == ErrorCode::refused; }

Status turn_corrections(Memory& memory, const GivenAnswer& answer) {
  for (const auto& [was, is] : answer.corrected) {
    if (auto gone = forget(memory, {is}, {}); !gone && !is_done_already(gone.error())) return std::unexpected(gone.error());
    if (auto back = restore(memory, was); !back && !is_done_already(back.error())) return std::unexpected(back.error());
  }
  return {};
}

// Lines that the answer reworded have corrected their entries since, and have the refs of what took those entries' place.
Result<std::vector<std::pair<std::string, std::string>>> corrections_since(const Vault& vault, const Act& answer) {
  std::vector<std::pair<std::string, std::string>> corrected;
  if (place_of(answer.file) != Place::core) return corrected;
  const auto logs = TRY(Chronicle::read(vault));
  for (const Act& act : TRY(acts_of(vault))) {
    if (act.file != answer.file || act.outcome != "corrected" || act.at < answer.at) continue;
    const auto& next = logs.successors_of(act.entry);
    if (next.size() == 1) corrected.emplace_back(act.entry, *next.begin());
  }
  return corrected;
}

// The file stands as it was answered, but for what loci has made of that, which is taken back with the answer.
Result<bool> stands_as_answered(const Vault& vault, const Act& act, AnswerOnDisk& kept) {
  const std::string& file = kept.answer.files.front().file;
  if (TRY(present_hash(vault, file)) == kept.became.front()) return true;
  auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
  if (!bytes) return false;
  const auto since = TRY(corrections_since(vault, act));
  for (const auto& [was, is] : since) *bytes = with_ref(*bytes, is, was);
  std::ranges::copy(since, std::back_inserter(kept.answer.corrected));
  return content_hash(*bytes) == kept.became.front();
}

// False if it is as it was.
Result<bool> put_file_back(const Vault& vault, const FileBefore& before) {
  const auto present = TRY(read_file_if_any(vault.files(), vault.file(before.file)));
  if (present == before.bytes) return false;
  if (!before.bytes)
    TRY(vault.files().remove(vault.file(before.file)));
  else if (!present)
    TRY(create_file(vault, before.file, *before.bytes));
  else
    TRY(replace_file(vault, before.file, *present, *before.bytes, sleep_pause, DuringGit::go_ahead));
  return true;
}

}  // namespace

Result<FileBefore> file_before(const Vault& vault, const std::string& file) {
  FileBefore before{file, TRY(read_file_if_any(vault.files(), vault.file(file))), {}};
  if (!has_versions(file)) return before;
  const auto versions = TRY(versions_of(vault, file));
  if (versions.empty()) return before;
  before.made_from = versions.back().hash;
  before.known_until = versions.back().at;
  return before;
}

Result<FileBefore> file_before(const Vault& vault, const Question& question) {
  auto before = TRY(file_before(vault, question.file));
  if (!question.before.empty()) before.made_from = question.before;
  return before;
}

Result<std::string> keep_answer(const Vault& vault, GivenAnswer answer) {
  const Instant now = vault.clock().now();
  const FileBefore& asked = answer.files.front();
  const std::string id = act_id(asked.file, asked.made_from, answer.given + format_rfc3339(now));
  const path folder = folder_of(vault) / id;
  answer.git_place = git_place_of(vault);
  if (!git_folder_around(vault.root()).empty())
    if (auto stages = git_of(vault).unmerged_stages(asked.file)) answer.unmerged = std::move(*stages);
  std::vector<std::string> became;
  TRY(make_folders(vault.files(), folder));
  for (size_t i = 0; i < answer.files.size(); ++i) {
    became.push_back(TRY(present_hash(vault, answer.files[i].file)));
    if (answer.files[i].bytes) TRY(write_file(vault.files(), folder / name_of_copy(i), *answer.files[i].bytes));
  }
  TRY(write_file(vault.files(), folder / "answer.json", to_string(record_of_answer(answer, became)) + '\n'));
  const std::string before = asked.bytes ? content_hash(*asked.bytes) : std::string();
  TRY(log_act(vault, {id, now, asked.file, "", answered, asked.made_from, now, false, answer.given, before, became.front()}));
  prune_answers(vault);
  return id;
}

Result<std::vector<std::string>> take_back_answer(Memory& memory, const Act& act) {
  const Vault& vault = memory.vault();
  AnswerOnDisk kept = TRY(read_answer(vault, act.id));
  const GivenAnswer& answer = kept.answer;
  const FileBefore& asked = answer.files.front();
  auto state = TRY(EditState::open(vault, lock_patience));
  const FileRecord* known = state.find(asked.file);
  if ((known && known->question) || !TRY(stands_as_answered(vault, act, kept)))
    return fail(ErrorCode::refused, asked.file + " has changed since that was answered", "edit it by hand; nothing was done");
  if (!answer.unmerged.empty() && answer.git_place == git_place_of(vault))
    TRY(git_of(vault).mark_unmerged(asked.file, answer.unmerged));
  // The question stands first: whatever is not done yet then is a save that is asked about.
  TRY(know_as_before(vault, asked));
  if (answer.question) {
    FileRecord& record = state.record(asked.file);
    record.question = answer.question;
    record.looked_at.reset();
    TRY(state.save());
  }
  TRY(turn_corrections(memory, answer));
  TRY(turn_tombstones(vault, answer));
  if (answer.question && answer.question->kind == Question::Kind::missing && answer.given == "restored")
    TRY(settle_again(vault, *answer.question));
  std::vector<std::string> files;
  for (size_t i = 0; i < answer.files.size(); ++i) {
    const bool is_asked = i == 0;  // a correction that was taken back has written to it
    if (!is_asked && TRY(present_hash(vault, answer.files[i].file)) != kept.became[i]) continue;
    if (TRY(put_file_back(vault, answer.files[i]))) files.push_back(answer.files[i].file);
    TRY(know_as_before(vault, answer.files[i]));
    if (is_asked && answer.question) TRY(know_what_came(vault, answer.files[i]));
  }
  if (answer.question) TRY(log_outcomes(vault, acts_of_these(answer.question->file, answer.question->gone), "asked"));
  return files;
}

}  // namespace loci
