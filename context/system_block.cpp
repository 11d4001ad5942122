#include "context/system_block.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "capture/task.h"
#include "context/data_text.h"
#include "context/prompts.h"
#include "memory/may_send.h"
#include "memory/promoted_lines.h"
#include "parser/core_file.h"
#include "parser/prompt_text.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

constexpr std::string_view separator = "\n\n";

size_t size_with_separator(std::string_view text) { return text.empty() ? 0 : text.size() + separator.size(); }

// Whole lines from the beginning, without blank ones at the end.
std::string lines_within(std::string_view text, size_t bytes) {
  size_t end = 0;
  while (end < text.size() && next_line(text, end) - (text[next_line(text, end) - 1] == '\n' ? 1 : 0) <= bytes)
    end = next_line(text, end);
  std::string kept(text.substr(0, end));
  kept.resize(kept.find_last_not_of(" \t\r\n") + 1);
  return kept;
}

// Both files, as far as they may be sent. One that cannot be read keeps the other from nobody.
struct KnownFiles {
  std::string memory, sendable_user, sendable_memory;
  bool are_read = true;
};

Result<KnownFiles> read_known_files(Memory& memory) {
  const Vault& vault = memory.vault();
  Sendable sendable(memory);
  KnownFiles files;
  const auto bytes_of = [&](const char* name) {
    auto bytes = read_file_if_any(vault.files(), vault.file(name));
    files.are_read &= bytes.has_value();
    return bytes ? std::move(*bytes).value_or("") : std::string();
  };
  const std::string user = bytes_of(user_file_name);
  files.memory = bytes_of(core_file_name);
  files.sendable_user = TRY(sendable.sendable_part(user, user_file_name));
  files.sendable_memory = TRY(sendable.sendable_part(files.memory, core_file_name));
  return files;
}

std::string user_part(const KnownFiles& files) { return measure_user_file(files.sendable_user).injected; }
std::string memory_part(const KnownFiles& files) { return core_injection(files.sendable_memory).text; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size(); begin = next_line(text, begin)) {
    std::string_view line = text.substr(begin, next_line(text, begin) - begin);
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (!is_blank_line(line)) lines.emplace_back(line);
  }
  return lines;
}

// The lines of both files that stand in the block.
std::vector<KeptLine> lines_in(const std::string& block, const KnownFiles& files) {
  std::map<std::string, std::string> refs;
  if (const auto core = read_core(files.memory))
    for (const CoreLine& line : core->lines) refs.emplace(line.text, line.ref);
  const std::string all = '\n' + block + '\n';
  std::vector<KeptLine> kept;
  for (const std::string& part : {user_part(files), memory_part(files)})
    for (std::string& line : lines_of(part)) {
      if (!all.contains('\n' + as_data(line) + '\n')) continue;
      const auto ref = refs.find(line);
      kept.push_back({std::move(line), ref == refs.end() ? std::string() : ref->second});
    }
  return kept;
}

// The lines of the core by their refs, as hashes.
std::map<std::string, std::string> hashes_of_core(const std::string& file) {
  std::map<std::string, std::string> hashes;
  if (const auto core = read_core(file))
    for (const CoreLine& line : core->lines) hashes.emplace(line.ref, stored_text_hash(line.text));
  return hashes;
}

// What happened to lines of a block that stand in their files no more.
class GoneLines {
 public:
  GoneLines(Memory& memory, const KnownFiles& files, Chronicle chronicle)
      : memory_(memory), sendable_(memory), chronicle_(std::move(chronicle)), now_(hashes_of_core(files.sendable_memory)) {}

  // A consolidation took the line out of the core, or worded it anew, and nobody else had to do with it.
  Result<bool> went_with_a_run(const KeptLine& line) {
    const auto written = chronicle_.promoted().find(line.ref);
    if (line.ref.empty() || written == chronicle_.promoted().end() || written->second.run == LinesToFollow{}.run) return false;
    if (chronicle_.is_removed(line.ref) || chronicle_.is_demoted(line.ref)) return false;
    const auto now = now_.find(line.ref);
    if (now == now_.end() ? written->second.stands : now->second != written->second.line_hash) return false;
    const auto found = TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(line.ref, 1); }));
    return !found.empty() && found.front().id == line.ref && TRY(sendable_.may_send(found.front()));
  }

 private:
  Memory& memory_;
  Sendable sendable_;
  Chronicle chronicle_;
  std::map<std::string, std::string> now_;  // by ref
};

// Whether a line of the block was forgotten, corrected, deleted by hand, or may not be sent any more.
Result<bool> is_touched(Memory& memory, const std::vector<KeptLine>& lines, const KnownFiles& files) {
  std::set<std::string> known;
  for (const std::string& text : {prompt_text(files.sendable_user), prompt_text(files.sendable_memory)})
    for (std::string& line : lines_of(text)) known.insert(std::move(line));
  std::optional<GoneLines> gone;
  for (const KeptLine& line : lines) {
    if (known.contains(line.text)) continue;
    if (!gone) gone.emplace(memory, files, TRY(Chronicle::read(memory.vault())));
    if (!TRY(gone->went_with_a_run(line))) return true;
  }
  return false;
}

// Of the task that is named; else of the one that was changed last of those that the session is linked to, else of its project's.
Result<std::string> working_state(Memory& memory, const SystemBlockRequest& request) {
  if (request.task.empty() && request.session.empty() && request.project.empty()) return std::string();
  const auto tasks = TRY(active_tasks(memory));
  const auto is_meant = [&](const Task& task) {
    return request.task.empty() ? std::ranges::find(task.sessions, request.session) != task.sessions.end()
                                : task.task == request.task;
  };
  auto found = std::ranges::find_if(tasks, is_meant);
  if (found == tasks.end() && request.task.empty() && !request.project.empty())
    found = std::ranges::find(tasks, request.project, &Task::project);
  if (found == tasks.end() || !TRY(Sendable(memory).may_send(found->entry))) return std::string();
  return found->state;
}

}  // namespace

std::string join_system_block(const SystemBlockParts& parts) {
  std::string user = as_data(parts.user), memory = as_data(parts.memory), task = as_data(parts.task);
  const std::string session = parts.session.empty() ? "" : "session: " + as_data_line(parts.session);
  const size_t fixed = size_with_separator(user) + size_with_separator(parts.guidance) + size_with_separator(session);
  const size_t room = most_injected_bytes - std::min(most_injected_bytes, fixed);
  const size_t of_memory = size_with_separator(memory);
  task = lines_within(task, std::max(std::min(room, task_bytes), room - std::min(room, of_memory + separator.size())));
  const size_t left = room - std::min(room, size_with_separator(task));
  memory = lines_within(memory, left);
  std::string block;
  for (const std::string& part : {user, memory, parts.guidance, task, session}) {
    if (part.empty()) continue;
    if (!block.empty()) block += separator;
    block += part;
  }
  return block;
}

Result<std::string> session_block(Memory& memory, const SystemBlockRequest& request) {
  if (request.session.size() > longest_session_id)
    return fail(ErrorCode::usage, "the session's id is too long", "it may have " + std::to_string(longest_session_id) + " bytes");
  const Vault& vault = memory.vault();
  const KnownFiles files = TRY(read_known_files(memory));
  const KeptSession kept = request.session.empty() ? KeptSession{} : read_kept_session(vault, request.session);
  if (!request.compacted && !kept.block.empty() && !TRY(is_touched(memory, kept.lines, files))) return kept.block;
  // A memory that has no index yet has no task that could be found, and is known all the same.
  const std::string task = working_state(memory, request).value_or("");
  std::string block =
      join_system_block({user_part(files), memory_part(files), context_prompt("guidance-1.md"), task, request.session});
  // A full disk must not keep an agent from its memory: then the block is made anew each time. So is one without a file that
  // could not be read.
  if (!request.session.empty() && files.are_read) (void)keep_block(vault, request.session, block, lines_in(block, files));
  return block;
}

}  // namespace loci
