#include "agents/spool.h"

#include <algorithm>
#include <array>
#include <set>

#include "agents/hook_session.h"
#include "agents/hook_stores.h"
#include "base/hash.h"
#include "base/id.h"
#include "base/process_lock.h"
#include "vault/purge/purge_json.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

constexpr std::string_view suffix = ".json", end_word = "session-end", forget_word = "forget", unasked = "unasked";
// Two texts of 1 MiB, each byte of which may have become an escape of six.
constexpr JsonLimits item_limits{.bytes = size_t{16} << 20, .depth = 8};
constexpr std::chrono::hours postponed_for{1}, keep_halves{1};

path spool_folder(const Vault& vault) { return vault.state_folder() / "spool"; }

// Where the state folder takes nothing, because its disk is full or may not be written to.
path second_folder(const Vault& vault) { return vault.dot_loci() / "spool"; }

std::array<path, 2> spool_folders(const Vault& vault) { return {spool_folder(vault), second_folder(vault)}; }

Status enqueue_in(const Vault& vault, const path& folder, const std::string& name, const Json& item) {
  TRY(make_folders(vault.files(), folder));
  return write_file(vault.files(), folder / name, to_string(item));
}

Status enqueue(const Vault& vault, const std::string& name, const Json& item) {
  const auto enqueued = enqueue_in(vault, spool_folder(vault), name, item);
  return enqueued || enqueue_in(vault, second_folder(vault), name, item) ? Status() : enqueued;
}

// Behind all ids of turns: what was said is stored before it is summed up.
std::string end_name(const std::string& session) {
  return "session-end-" + hex(as_bytes(sha256(session)), 32) + std::string(suffix);
}

std::vector<path> spooled(const Vault& vault) {
  std::vector<path> files;
  std::error_code error;
  for (const path& folder : spool_folders(vault))
    for (const auto& file : std::filesystem::directory_iterator(folder, error))
      if (const std::string name = file.path().filename(); name.ends_with(suffix) && !name.starts_with('.'))
        files.push_back(file.path());
  std::ranges::sort(files, {}, [](const path& file) { return file.filename(); });
  return files;
}

bool is_long_ago(const path& file) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file, error);
  return !error && written < std::filesystem::file_time_type::clock::now() - keep_halves;
}

// What a process that was killed while it enqueued left: its agent did not wait for it.
void remove_halves(const Vault& vault) {
  std::error_code error;
  for (const path& folder : spool_folders(vault))
    for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
      const bool is_whole = file.path().filename().string().ends_with(suffix);
      if (!is_whole && is_long_ago(file.path())) std::filesystem::remove(file.path(), error);
    }
}

TurnInput turn_from(const Json& item) {
  return {.session = item.text_at("session"),
          .turn = {},
          .message_id = item.text_at("message"),
          .user = item.text_at("user"),
          .assistant = item.text_at("assistant"),
          .project = item.text_at("project"),
          .at = parse_time(item.text_at("at")),
          .may_go_on = true,
          .is_let_in = true,
          .told_by = item.text_at("told_by") == name_of(Actor::person) ? Actor::person : Actor::agent};
}

// Will it be the same tomorrow?
bool is_hopeless(const Error& error) { return error.code == ErrorCode::usage || error.code == ErrorCode::refused; }

Status carry_out_turn(Memory& memory, const Json& item, const SpoolActions& actions) {
  if (item.text_at("what") == forget_word) {
    const TurnInput turn = turn_from(item);
    return forget_turn(memory, turn.session, turn.message_id, turn.told_by);
  }
  const auto stored = store_turn(memory, turn_from(item));
  if (!stored && !is_hopeless(stored.error())) return std::unexpected(stored.error());
  if (!stored && stored.error().code == ErrorCode::usage) note_trouble(memory.vault(), "turn", stored.error());
  if (stored && !stored->known && !stored->is_private && actions.stored) actions.stored(memory, *stored);
  return {};
}

// What one process drains.
class Draining {
 public:
  Draining(Memory& memory, const SpoolActions& actions) : memory_(memory), actions_(actions) {}

  bool has_begun() const { return !seen_.empty(); }
  const Status& first_trouble() const { return first_trouble_; }

  std::vector<path> unseen() const {
    auto files = spooled(memory_.vault());
    std::erase_if(files, [&](const path& file) { return seen_.contains(file); });
    return files;
  }

  // What waits for a prompt is looked at again if anything else came.
  void take(const std::vector<path>& files) {
    std::vector<path> waiting;
    for (const path& file : files) {
      seen_.insert(file);
      const auto done = carry_out(file);
      if (!done && first_trouble_) first_trouble_ = std::unexpected(done.error());
      if (done && *done == Done::waits) waiting.push_back(file);
    }
    if (waiting.size() < files.size())
      for (const path& file : waiting) seen_.erase(file);
  }

 private:
  enum class Done : std::uint8_t { for_now, waits };

  Result<Done> carry_out(const path& file) {
    FileSystem& files = memory_.vault().files();
    const auto bytes = TRY(read_file_if_any(files, file, item_limits.bytes));
    const auto item = parse_json(bytes.value_or(""), item_limits);
    if (item && stuck_.contains(item->text_at("session"))) return Done::for_now;
    if (item && item->text_at("what") == end_word) {
      const auto not_before = parse_time(item->text_at("not_before"));
      if (actions_.ended && (!not_before || *not_before <= memory_.now())) actions_.ended(memory_, item->text_at("session"));
      return Done::for_now;
    }
    const auto asked = item && item->count_at(unasked) == 1 ? prompt_of(*item) : HookPrompt{};
    if (!asked && !is_long_ago(file)) return Done::waits;
    if (const auto done = item && asked && asked->is_stored ? carry_out_turn(memory_, *item, actions_) : Status(); !done) {
      stuck_.insert(item->text_at("session"));
      return std::unexpected(done.error());
    }
    if (const auto removed = files.remove(file); !removed) {
      if (item)
        stuck_.insert(item->text_at("session"));  // done again behind what came later, it would be another thing that was said
      return std::unexpected(removed.error());
    }
    return Done::for_now;
  }

  std::optional<HookPrompt> prompt_of(const Json& item) const {
    return find_prompt(memory_.vault(), item.text_at("session"), item.text_at("message"));
  }

  Memory& memory_;
  const SpoolActions& actions_;
  std::set<path> seen_;          // what says that a session is over stays until it is
  std::set<std::string> stuck_;  // sessions of which something could not be done: what was said after that waits, too
  Status first_trouble_;
};

Json item_of(const Vault& vault, const TurnInput& turn, std::string_view what = "turn") {
  Json item = Json::object();
  item.add_unchecked("what", what);
  item.add_unchecked("session", turn.session);
  item.add_unchecked("message", turn.message_id);
  if (!turn.user.empty()) item.add_unchecked("user", turn.user);
  if (!turn.assistant.empty()) item.add_unchecked("assistant", turn.assistant);
  if (!turn.project.empty()) item.add_unchecked("project", turn.project);
  item.add_unchecked("at", format_rfc3339(turn.at.value_or(vault.clock().now())));
  item.add_unchecked("told_by", name_of(turn.told_by));
  return item;
}

Status note_end(const Vault& vault, const std::string& session, std::optional<Instant> not_before) {
  Json item = Json::object();
  item.add_unchecked("what", end_word);
  item.add_unchecked("session", session);
  if (not_before) item.add_unchecked("not_before", format_rfc3339(*not_before));
  return enqueue(vault, end_name(session), item);
}

// Words of a conversation that stand in no entry yet, as in capture/turn_store.cpp.
std::optional<std::string> purge_item(std::string_view, std::string_view bytes, const PurgedText& text) {
  auto item = parse_json(bytes, item_limits);
  if (!item) return std::nullopt;
  for (const char* side : {"user", "assistant"})
    if (const std::string* said = item->string_at(side); said && text.is_said_in(*said)) return std::nullopt;
  return std::string(bytes);
}

}  // namespace

Status enqueue_turn(const Vault& vault, const TurnInput& turn) {
  return enqueue(vault, make_id(vault.clock().now()) + std::string(suffix), item_of(vault, turn));
}

Status enqueue_forgetting(const Vault& vault, const TurnInput& turn) {
  return enqueue(vault, make_id(vault.clock().now()) + std::string(suffix), item_of(vault, turn, forget_word));
}

// Behind the ids of turns: in the order of names its prompt comes first.
Status enqueue_answer(const Vault& vault, const TurnInput& turn) {
  Json item = item_of(vault, turn);
  item.add_unchecked(std::string(unasked), 1);
  return enqueue(vault, "answer-" + make_id(vault.clock().now()) + std::string(suffix), item);
}

Status enqueue_session_end(const Vault& vault, const std::string& session) { return note_end(vault, session, {}); }

Status finish_session_end(const Vault& vault, const std::string& session) {
  for (const path& folder : spool_folders(vault)) TRY(vault.files().remove(folder / end_name(session)));
  return {};
}

Status postpone_session_end(const Vault& vault, const std::string& session) {
  return note_end(vault, session, vault.clock().now() + postponed_for);
}

size_t count_spooled(const Vault& vault) { return spooled(vault).size(); }

// Whoever finds the lock taken goes away, and relies on who has it: what came meanwhile is looked for again when it is let go.
Status drain_spool(Memory& memory, const SpoolActions& actions, std::chrono::milliseconds patience) {
  const Vault& vault = memory.vault();
  Draining draining(memory, actions);
  while (!draining.unseen().empty()) {
    const auto lock = ProcessLock::acquire(vault.files(), spool_folder(vault), patience);
    if (!lock && draining.has_begun()) return {};
    if (!lock) return std::unexpected(lock.error());
    for (auto files = draining.unseen(); !files.empty(); files = draining.unseen()) draining.take(files);
    remove_halves(vault);
  }
  return draining.first_trouble();
}

constinit const Store spool_store{"what hooks have enqueued", StoreRoot::state, "spool/", Permissions::owner, purge_item};
constinit const Store second_spool_store{"what hooks could not enqueue in the state folder", StoreRoot::vault, ".loci/spool/",
                                         Permissions::owner, purge_item};

}  // namespace loci
