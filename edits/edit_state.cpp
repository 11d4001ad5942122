#include "edits/edit_state.h"

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "parser/parser.h"

namespace loci {
namespace {

constexpr std::int64_t state_version = 1;
constexpr size_t name_digits = 16;
constexpr std::string_view wholesale = "wholesale", gone = "gone";

path folder_of(const Vault& vault) { return vault.state_folder() / "edits"; }

Json to_json(const Question& question) {
  Json json = Json::object();
  json.add_unchecked("kind", question.kind == Question::Kind::gone ? gone : wholesale);
  json.add_unchecked("since", format_rfc3339(question.since));
  json.add_unchecked("removed", static_cast<std::uint64_t>(question.removed));
  json.add_unchecked("changed", static_cast<std::uint64_t>(question.changed));
  json.add_unchecked("touched", static_cast<std::uint64_t>(question.touched));
  json.add_unchecked("entries", static_cast<std::uint64_t>(question.entries));
  json.add_unchecked("held", question.held);
  return json;
}

Json to_json(const FileRecord& record) {
  Json json = Json::object();
  json.add_unchecked("file", record.file);
  Json absent = Json::array(), reworded = Json::array();
  for (const Absence& one : record.absent) {
    Json item = Json::object();
    item.add_unchecked("id", one.id);
    item.add_unchecked("hash", one.hash);
    item.add_unchecked("from", one.from);
    absent.push_back(std::move(item));
  }
  for (const Rewording& one : record.reworded) {
    Json item = Json::object();
    item.add_unchecked("ref", one.ref);
    item.add_unchecked("shown", one.shown);
    item.add_unchecked("present", one.present);
    reworded.push_back(std::move(item));
  }
  json.add_unchecked("absent", std::move(absent));
  json.add_unchecked("reworded", std::move(reworded));
  if (record.question) json.add_unchecked("question", to_json(*record.question));
  return json;
}

Question question_from(const Json& json, const std::string& file) {
  Question question;
  question.file = file;
  question.kind = json.text_at("kind") == gone ? Question::Kind::gone : Question::Kind::wholesale;
  question.since = parse_time(json.text_at("since")).value_or(Instant{});
  question.removed = json.count_at("removed");
  question.changed = json.count_at("changed");
  question.touched = json.count_at("touched");
  question.entries = json.count_at("entries");
  question.held = json.texts_at("held");
  return question;
}

FileRecord record_from(const Json& json) {
  FileRecord record;
  record.file = json.text_at("file");
  for (const Json& one : json.array_at("absent"))
    record.absent.push_back({one.text_at("id"), one.text_at("hash"), one.texts_at("from")});
  for (const Json& one : json.array_at("reworded"))
    record.reworded.push_back({one.text_at("ref"), one.text_at("shown"), one.text_at("present")});
  if (const Json* question = json.find("question")) record.question = question_from(*question, record.file);
  return record;
}

struct Contents {
  std::string git;
  std::vector<FileRecord> files;
};

std::string format(const std::string& git, const std::vector<FileRecord>& files) {
  Json json = Json::object();
  json.add_unchecked("v", state_version);
  json.add_unchecked("git", git);
  Json records = Json::array();
  for (const FileRecord& record : files) records.push_back(to_json(record));
  json.add_unchecked("files", std::move(records));
  return to_string(json) + '\n';
}

// Nothing if it is broken or of another version: everything is then seen for the first time.
std::optional<Contents> contents_from(std::string_view bytes) {
  const auto json = parse_json(bytes, {.bytes = size_t{64} << 20});
  const Json* version = json ? json->find("v") : nullptr;
  if (!version || !version->as_integer() || *version->as_integer() != state_version) return std::nullopt;
  Contents contents{json->text_at("git"), {}};
  for (const Json& one : json->array_at("files"))
    if (FileRecord record = record_from(one); !record.file.empty()) contents.files.push_back(std::move(record));
  return contents;
}

Result<std::string> read_state(const Vault& vault) {
  auto bytes = TRY(read_file_if_any(vault.files(), folder_of(vault) / "state.json"));
  return std::move(bytes).value_or(std::string());
}

}  // namespace

Result<EditState> EditState::open(const Vault& vault, std::chrono::milliseconds patience) {
  TRY(make_folders(vault.files(), folder_of(vault)));
  auto lock = TRY(ProcessLock::acquire(vault.files(), folder_of(vault), patience));
  EditState state(vault, std::move(lock));
  auto bytes = TRY(read_state(vault));
  if (auto contents = contents_from(bytes)) {
    state.git = std::move(contents->git);
    state.files = std::move(contents->files);
    state.saved_ = std::move(bytes);
  }
  return state;
}

Result<std::vector<FileRecord>> EditState::peek(const Vault& vault) {
  const auto bytes = TRY(read_state(vault));
  auto contents = contents_from(bytes);
  return contents ? std::move(contents->files) : std::vector<FileRecord>();
}

FileRecord* EditState::find(std::string_view file) {
  const auto found = std::ranges::find(files, file, &FileRecord::file);
  return found == files.end() ? nullptr : &*found;
}

FileRecord& EditState::record(const std::string& file) {
  if (FileRecord* known = find(file)) return *known;
  FileRecord made;
  made.file = file;
  return files.emplace_back(std::move(made));
}

path EditState::copy_of(std::string_view folder, const std::string& file) const {
  return folder_of(*vault_) / folder / (hex(as_bytes(sha256(file)), name_digits) + ".md");
}

Status EditState::write_copy(std::string_view folder, const std::string& file, std::string_view bytes) {
  TRY(make_folders(vault_->files(), folder_of(*vault_) / folder));
  return write_file(vault_->files(), copy_of(folder, file), bytes);
}

Result<std::optional<std::string>> EditState::accepted(const std::string& file) const {
  return read_file_if_any(vault_->files(), copy_of("accepted", file));
}

Status EditState::accept(const std::string& file, std::string_view bytes) {
  record(file);
  return write_copy("accepted", file, bytes);
}

Status EditState::forget_file(const std::string& file) {
  std::erase_if(files, [&](const FileRecord& record) { return record.file == file; });
  TRY(drop_absent(file));
  return vault_->files().remove(copy_of("accepted", file));
}

Result<std::string> EditState::absent_markdown(const std::string& file, const std::string& id) const {
  const auto bytes = TRY(read_file_if_any(vault_->files(), copy_of("absent", file)));
  if (!bytes) return std::string();
  for (const ParsedEntry& entry : parse(*bytes).entries)
    if (entry.id == id) return bytes->substr(entry.begin, entry.end - entry.begin);
  return std::string();
}

Status EditState::keep_absent(const std::string& file, std::string_view markdown) {
  const auto before = TRY(read_file_if_any(vault_->files(), copy_of("absent", file)));
  std::string bytes(markdown);
  if (!bytes.ends_with('\n')) bytes += '\n';
  // The newest copy stands first: of two entries with one id the first has it.
  return write_copy("absent", file, bytes + '\n' + before.value_or(std::string()));
}

Status EditState::drop_absent(const std::string& file) { return vault_->files().remove(copy_of("absent", file)); }

Status EditState::save() {
  std::string bytes = format(git, files);
  if (bytes == saved_) return {};
  TRY(write_file(vault_->files(), folder_of(*vault_) / "state.json", bytes));
  saved_ = std::move(bytes);
  return {};
}

}  // namespace loci
