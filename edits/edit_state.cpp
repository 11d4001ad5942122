#include "edits/edit_state.h"

#include <algorithm>

#include "base/json.h"
#include "base/leftovers.h"
#include "edits/question_record.h"
#include "vault/layout/layout.h"

namespace loci {
namespace {

constexpr std::int64_t state_version = 2;
path folder_of(const Vault& vault) { return vault.state_folder() / "edits"; }

void add(Json& json, const char* key, const std::optional<Instant>& at) {
  if (at) json.add_unchecked(key, format_rfc3339(*at));
}

std::optional<Instant> optional_time_at(const Json& json, const char* key) {
  const auto at = parse_time(json.text_at(key));
  return at ? std::optional(*at) : std::nullopt;
}

std::string format(const FileSignature& signature) {
  return std::to_string(signature.size) + ' ' + std::to_string(signature.inode) + ' ' + std::to_string(signature.mtime_ns) + ' ' +
         std::to_string(signature.ctime_ns);
}

std::optional<FileSignature> signature_from(const std::string& text) {
  FileSignature signature;
  long long mtime = 0, ctime = 0;
  unsigned long long size = 0, inode = 0;
  if (std::sscanf(text.c_str(), "%llu %llu %lld %lld", &size, &inode, &mtime, &ctime) != 4) return std::nullopt;
  return FileSignature{size, inode, mtime, ctime};
}

Json to_json(const FileRecord& record) {
  Json json = Json::object();
  json.add_unchecked("file", record.file);
  if (record.looked_at) json.add_unchecked("looked_at", format(*record.looked_at));
  json.add_unchecked("absent", record_of(record.absent));
  if (record.question) json.add_unchecked("question", record_of(*record.question));
  if (!record.unsure_of.empty()) json.add_unchecked("unsure_of", record.unsure_of);
  if (!record.unsure_absent.empty()) json.add_unchecked("unsure_absent", record_of(record.unsure_absent));
  add(json, "unsure_since", record.unsure_since);
  add(json, "unsure_first", record.unsure_first);
  add(json, "gone_since", record.gone_since);
  return json;
}

FileRecord record_from(const Json& json) {
  FileRecord record;
  record.file = json.text_at("file");
  record.looked_at = signature_from(json.text_at("looked_at"));
  record.absent = absences_from_record(json.array_at("absent"));
  if (const Json* question = json.find("question")) record.question = question_from_record(*question, record.file);
  record.unsure_of = json.text_at("unsure_of");
  record.unsure_absent = absences_from_record(json.array_at("unsure_absent"));
  record.unsure_since = optional_time_at(json, "unsure_since");
  record.unsure_first = optional_time_at(json, "unsure_first");
  record.gone_since = optional_time_at(json, "gone_since");
  return record;
}

struct Contents {
  GitStand git;
  std::vector<FileRecord> files;
};

std::string format(const GitStand& git, const std::vector<FileRecord>& files) {
  Json json = Json::object(), stand = Json::object();
  json.add_unchecked("v", state_version);
  stand.add_unchecked("branch", git.branch);
  stand.add_unchecked("commit", git.commit);
  stand.add_unchecked("stash", git.stash);
  stand.add_unchecked("fingerprint", git.fingerprint);
  json.add_unchecked("git", std::move(stand));
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
  Contents contents;
  if (const Json* git = json->find("git"))
    contents.git = {git->text_at("branch"), git->text_at("commit"), git->text_at("stash"), git->text_at("fingerprint")};
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
  remove_leftovers_in(folder_of(vault));  // of a process that was killed while it wrote
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

Result<GitStand> EditState::peek_git(const Vault& vault) {
  const auto bytes = TRY(read_state(vault));
  auto contents = contents_from(bytes);
  return contents ? std::move(contents->git) : GitStand();
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

void EditState::forget_file(std::string_view file) {
  std::erase_if(files, [&](const FileRecord& record) { return record.file == file; });
}

Status EditState::save() {
  std::string bytes = format(git, files);
  if (bytes == saved_) return {};
  TRY(write_file(vault_->files(), folder_of(*vault_) / "state.json", bytes));
  saved_ = std::move(bytes);
  return {};
}

UndecidedAbsences undecided_absences(const Vault& vault) {
  UndecidedAbsences undecided;
  const auto records = EditState::peek(vault);
  if (!records) return undecided;  // what nobody has looked at is in no question
  for (const FileRecord& record : *records) {
    std::vector<Absence>& absences = place_of(record.file) == Place::core ? undecided.lines : undecided.entries;
    std::ranges::copy_if(record.absent, std::back_inserter(absences), &std::string::empty, &Absence::said_in);
    std::ranges::copy(record.unsure_absent, std::back_inserter(absences));
    if (record.question) std::ranges::copy(record.question->gone, std::back_inserter(absences));
  }
  return undecided;
}

}  // namespace loci
