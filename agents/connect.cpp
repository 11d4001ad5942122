#include "agents/connect.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ranges>

#include "base/child_process.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/leftovers.h"

namespace loci {
namespace {

constexpr size_t longest_file = size_t{64} << 20;
constexpr int tries = 3;  // of writing a file that its agent writes too

// What a connect left behind, so that a disconnect can give back what there was.
struct Record {
  std::string hash;        // of the file as it was written
  bool was_there = false;  // before
  bool is_made = false;    // by a connect, this one or an earlier one
};

std::string hash_of(std::string_view text) { return hex(as_bytes(sha256(text)), 64); }

path record_folder(const path& state_home) { return state_home / "loci" / "connections"; }
path record_file(const path& state_home, const path& file) {
  return record_folder(state_home) / (hash_of(file.native()).substr(0, 16) + ".json");
}
path backup_file(const path& state_home, const path& file) {
  return record_folder(state_home) / (hash_of(file.native()).substr(0, 16) + ".before");
}

bool is_link(const path& file) {
  std::error_code error;
  return std::filesystem::is_symlink(std::filesystem::symlink_status(file, error));
}

// What a link leads to is edited; the link stays.
path target_of(const path& file) {
  std::error_code error;
  path target = std::filesystem::canonical(file, error);
  return error ? file : target;
}

std::unexpected<Error> unreadable(const path& file, const Error& why) {
  auto failure = fail(ErrorCode::refused, file.string() + (why.line > 0 ? ":" + std::to_string(why.line) : "") + ": " + why.message,
                      why.hint.empty() ? "mend the file, or connect by hand; nothing was written" : why.hint);
  failure.error().file = file.string();
  failure.error().line = why.line;
  return failure;
}

// What may be written over: a plain file of the user's own, or a link to one. None is fine, too.
Status check_is_plain(const path& file) {
  struct stat info{};
  if (::stat(file.c_str(), &info) != 0) {
    if (errno == ELOOP)
      return fail(ErrorCode::refused, file.string() + " is a link that leads back to itself",
                  "take the link away, or let it lead to a file; nothing was written");
    return {};  // whoever reads it says why
  }
  const char* what = S_ISDIR(info.st_mode)    ? "a folder"
                     : S_ISFIFO(info.st_mode) ? "a pipe"
                     : S_ISSOCK(info.st_mode) ? "a socket"
                     : S_ISREG(info.st_mode)  ? ""
                                              : "a device";
  const std::string is = file.string() + (is_link(file) ? " leads to " + target_of(file).string() + ", which is " : " is ");
  if (*what != '\0') return fail(ErrorCode::refused, is + what + ", no file of settings", "move it away; nothing was written");
  if (info.st_uid != ::geteuid())
    return fail(ErrorCode::refused, is + "another user's file", "connect as that user, or make it yours; nothing was written");
  return {};
}

}  // namespace

Result<std::optional<std::string>> read_agent_file(FileSystem& files, const path& file) {
  TRY(check_is_plain(file));
  auto bytes = TRY(read_file_if_any(files, file, longest_file));
  if (!bytes && is_link(file))
    return fail(ErrorCode::refused, file.string() + " is a link that leads nowhere",
                "make what it leads to, or take the link away; nothing was written");
  return bytes;
}

namespace {

std::optional<Record> read_record(FileSystem& files, const path& state_home, const path& file) {
  const auto bytes = read_file_if_any(files, record_file(state_home, file));
  const auto json = bytes && *bytes ? parse_json(**bytes) : Result<Json>(fail(ErrorCode::not_found, ""));
  if (!json) return std::nullopt;
  const bool was_there = json->count_at("was_there") == 1;
  return Record{json->text_at("hash"), was_there, json->find("is_made") ? json->count_at("is_made") == 1 : !was_there};
}

Status write_record(FileSystem& files, const path& state_home, const PlannedEdit& edit) {
  const auto earlier = read_record(files, state_home, edit.file);
  // Connected again, with nobody's change in between: what there was before the first time is what comes back.
  const bool is_again = earlier && edit.before && earlier->hash == hash_of(*edit.before);
  TRY(make_folders(files, record_folder(state_home)));
  if (!is_again) {
    // Somebody changed it since it was connected: what comes back is theirs, without ours.
    const auto without_ours = TRY(edit.agent_file->disconnect(edit.before.value_or("")));
    TRY(write_file(files, backup_file(state_home, edit.file), without_ours.text));
  }
  Json record = Json::object();
  record.add_unchecked("file", edit.file.string());
  record.add_unchecked("hash", hash_of(edit.edit.text));
  record.add_unchecked("was_there", (is_again ? earlier->was_there : edit.before.has_value()) ? 1 : 0);
  record.add_unchecked("is_made", !edit.before || (earlier && earlier->is_made) ? 1 : 0);
  return write_file(files, record_file(state_home, edit.file), to_string(record));
}

Result<mode_t> mode_of(FileSystem& files, const path& file) {
  const auto fd = TRY(files.open(file, O_RDONLY | O_NONBLOCK));
  const auto info = TRY(files.status(fd, file));
  return info.st_mode & mode_t{0777};
}

// Only over what was read. ErrorCode::locked if it is something else by now.
Status replace(FileSystem& files, const path& file, const std::optional<std::string>& before, const std::string& text) {
  const path target = target_of(file);
  remove_leftovers_of(target);
  const auto now = TRY(read_agent_file(files, target));
  if (now != before) return fail(ErrorCode::locked, file.string() + " was written at the same moment", "try again");
  if (!before) {
    TRY(make_folders(files, target.parent_path()));
    return write_file(files, target, text);
  }
  const auto mode = TRY(mode_of(files, target));
  TRY(write_file(files, target, text));
  const auto written = TRY(files.open(target, O_RDONLY | O_NONBLOCK));
  return files.change_mode(written, mode, target);  // the mode of a new file is cut by the umask
}

// The agent's own command, if there is one and it can be started.
bool agent_did_it(const std::vector<std::string>& words) {
  if (words.empty()) return false;
  const auto answer = ask_program({.words = words, .environment = own_environment(), .time_limit = std::chrono::seconds(30)});
  return answer && answer->status == 0;
}

using Step = std::function<Result<SettingsEdit>(const std::string& text)>;

// Until nobody writes the file in between.
Status edit_in_place(FileSystem& files, const PlannedEdit& planned, const Step& step) {
  PlannedEdit now = planned;
  for (int count = 1;; ++count) {
    const auto replaced = replace(files, now.file, now.before, now.edit.text);
    if (replaced || replaced.error().code != ErrorCode::locked || count == tries) return replaced;
    now.before = TRY(read_agent_file(files, now.file));
    auto again = step(now.before.value_or(""));
    if (!again) return unreadable(now.file, again.error());
    now.edit = std::move(*again);
  }
}

// What there was before, of a file that nobody has changed since: its bytes, or none if there was no file. Nothing at all if that
// is not known.
std::optional<std::optional<std::string>> text_before(const PlannedEdit& planned, FileSystem& files, const path& state_home) {
  const auto record = read_record(files, state_home, planned.file);
  if (!record || !planned.agent_file->is_restored || !planned.before || record->hash != hash_of(*planned.before))
    return std::nullopt;
  if (!record->was_there && is_link(planned.file)) return std::nullopt;
  if (!record->was_there) return std::optional<std::string>();
  auto bytes = read_file_if_any(files, backup_file(state_home, planned.file), longest_file);
  if (!bytes || !*bytes) return std::nullopt;
  return std::move(*bytes);
}

bool holds_nothing(const Json& value) {
  return value.as_object() &&
         std::ranges::all_of(*value.as_object(), [](const Json::Member& one) { return holds_nothing(one.second); });
}

// Objects without anything in them, as are left around what was ours. A comment is somebody's.
bool says_nothing(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return true;
  const auto json = parse_json(text);
  return json && holds_nothing(*json);
}

// A link that was put in its place is somebody's, and does not lead nowhere afterwards.
bool was_made_by_connect(const path& file, FileSystem& files, const path& state_home) {
  if (is_link(file)) return false;
  const auto record = read_record(files, state_home, file);
  return record && record->is_made;
}

// What a connect made goes with it, if nobody has put anything into it since.
Status remove_if_nothing_is_left(const PlannedEdit& planned, FileSystem& files, const path& state_home) {
  if (!was_made_by_connect(planned.file, files, state_home)) return {};
  const auto left = TRY(read_agent_file(files, planned.file));
  return left && says_nothing(*left) ? files.remove(target_of(planned.file)) : Status();
}

Status take_out_what_is_left(const PlannedEdit& planned, FileSystem& files) {
  PlannedEdit now = planned;
  now.before = TRY(read_agent_file(files, now.file));
  auto edit = now.agent_file->disconnect(now.before.value_or(""));
  if (!edit) return unreadable(now.file, edit.error());
  if (edit->text == now.before.value_or("")) return {};
  now.edit = std::move(*edit);
  return edit_in_place(files, now, now.agent_file->disconnect);
}

Status disconnect_file(const PlannedEdit& planned, FileSystem& files, const path& state_home) {
  const AgentFile& agent_file = *planned.agent_file;
  if (const auto before = text_before(planned, files, state_home)) {
    TRY(*before ? replace(files, planned.file, planned.before, **before) : files.remove(target_of(planned.file)));
  } else {
    (void)agent_did_it(agent_file.disconnect_words);  // what it left is taken out by the file itself
    TRY(take_out_what_is_left(planned, files));
    TRY(remove_if_nothing_is_left(planned, files, state_home));
  }
  TRY(files.remove(record_file(state_home, planned.file)));
  return files.remove(backup_file(state_home, planned.file));
}

Status connect_file(const PlannedEdit& planned, FileSystem& files, const path& state_home) {
  TRY(write_record(files, state_home, planned));
  const AgentFile& agent_file = *planned.agent_file;
  if (agent_did_it(agent_file.connect_words)) {
    const auto text = TRY(read_agent_file(files, planned.file));
    if (vault_named_in(agent_file, text.value_or(""))) return {};
  }
  return edit_in_place(files, planned, agent_file.connect);
}

// A file that was connected, or was about to be, and the record of it that there was before.
struct Connected {
  const PlannedEdit* planned = nullptr;
  std::optional<std::string> record;
};

// An agent with hooks and without a server, or the other way round, is half connected: all of its files are, or none.
Status take_back(const Connected& connected, FileSystem& files, const path& state_home) {
  const PlannedEdit& planned = *connected.planned;
  const auto now = TRY(read_agent_file(files, planned.file));
  if (now != planned.before && now != planned.edit.text) return fail(ErrorCode::locked, "somebody has written it since");
  if (now != planned.before)
    TRY(planned.before ? replace(files, planned.file, now, *planned.before) : files.remove(target_of(planned.file)));
  if (connected.record) return write_file(files, record_file(state_home, planned.file), *connected.record);
  TRY(files.remove(record_file(state_home, planned.file)));
  return files.remove(backup_file(state_home, planned.file));
}

Result<std::vector<PlannedEdit>> plan(const AgentSetup& setup, FileSystem& files,
                                      const std::function<Step(const AgentFile&)>& step_of) {
  std::vector<PlannedEdit> planned;
  for (const AgentFile& agent_file : setup.files) {
    auto before = TRY(read_agent_file(files, agent_file.file));
    auto edit = step_of(agent_file)(before.value_or(""));
    if (!edit) return unreadable(agent_file.file, edit.error());
    if (edit->text != before.value_or("")) planned.push_back({agent_file.file, &agent_file, std::move(before), std::move(*edit)});
  }
  return planned;
}

bool is_same_folder(const path& a, const path& b) {
  std::error_code error;
  return a == b || std::filesystem::equivalent(a, b, error);
}

}  // namespace

Status check_vault_of(const AgentSetup& setup, const Connection& connection, FileSystem& files) {
  for (const AgentFile& agent_file : setup.files) {
    const auto text = TRY(read_agent_file(files, agent_file.file));
    const auto vault = vault_named_in(agent_file, text.value_or(""));
    if (vault && !vault->empty() && !is_same_folder(*vault, connection.vault))
      return fail(ErrorCode::refused,
                  setup.name + " is connected to another memory already: " + *vault + " (" + agent_file.file.string() + ")",
                  "to give some folders a memory of their own, name them in [agents] vaults of your configuration ('loci config "
                  "agents.vaults.FOLDER VAULT'); or disconnect it first, with --remove");
  }
  return {};
}

Result<std::vector<PlannedEdit>> plan_connect(const AgentSetup& setup, const Connection& connection, FileSystem& files) {
  TRY(check_vault_of(setup, connection, files));
  return plan(setup, files, [](const AgentFile& agent_file) { return agent_file.connect; });
}

// What nobody has changed since comes back as it was: the plan shows that.
Result<std::vector<PlannedEdit>> plan_disconnect(const AgentSetup& setup, FileSystem& files, const path& state_home) {
  auto planned = TRY(plan(setup, files, [](const AgentFile& agent_file) { return agent_file.disconnect; }));
  for (PlannedEdit& edit : planned)
    if (const auto before = text_before(edit, files, state_home)) edit.edit.text = before->value_or("");
  return planned;
}

Status carry_out_connect(const std::vector<PlannedEdit>& plan, FileSystem& files, const path& state_home) {
  std::vector<Connected> done;
  for (const PlannedEdit& planned : plan) {
    const auto record = TRY(read_file_if_any(files, record_file(state_home, planned.file)));
    done.push_back({&planned, record});
    auto connected = connect_file(planned, files, state_home);
    if (connected) continue;
    for (const Connected& one : done | std::views::reverse)
      if (!take_back(one, files, state_home)) connected.error().message += "; " + one.planned->file.string() + " stays changed";
    return connected;
  }
  return {};
}

Status carry_out_disconnect(const std::vector<PlannedEdit>& plan, FileSystem& files, const path& state_home) {
  for (const PlannedEdit& planned : plan) TRY(disconnect_file(planned, files, state_home));
  return {};
}

}  // namespace loci
