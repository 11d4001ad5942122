#include "capture/turn_state.h"

#include <algorithm>

#include "base/hash.h"
#include "memory/memory.h"
#include "model/model_use.h"
#include "vault/logs/json_lines.h"

namespace loci {
namespace {

// Two texts of 1 MiB, each byte of which may have become an escape of six.
constexpr JsonLimits line_limits{.bytes = size_t{16} << 20, .depth = 8};

path file_of(const Vault& vault, const std::string& session) {
  return turn_folder(vault) / (hex(as_bytes(sha256(session)), 32) + ".jsonl");
}

Json to_line(const CountedTurn& turn) {
  Json line = Json::object();
  line.add_unchecked("turn", turn.number);
  if (!turn.message.empty()) line.add_unchecked("message", turn.message);
  if (!turn.has_words) return line;
  line.add_unchecked("user", turn.user);
  line.add_unchecked("assistant", turn.assistant);
  if (!turn.project.empty()) line.add_unchecked("project", turn.project);
  if (turn.told_by != Actor::person) line.add_unchecked("told_by", name_of(turn.told_by));
  if (turn.at) line.add_unchecked("at", format_rfc3339(*turn.at));
  return line;
}

void take_line(const Json& line, TurnState& state) {
  if (const Json* turn = line.find("turn"); turn && turn->as_integer()) {
    state.turns.push_back({.number = *turn->as_integer(),
                           .message = line.text_at("message"),
                           .has_words = line.string_at("user") != nullptr,
                           .user = line.text_at("user"),
                           .assistant = line.text_at("assistant"),
                           .project = line.text_at("project"),
                           .told_by = line.find("told_by") ? Actor::agent : Actor::person,
                           .at = parse_time(line.text_at("at"))});
  } else if (const Json* extracted = line.find("extracted"); extracted && extracted->as_integer()) {
    state.extracted.insert(*extracted->as_integer());
  } else if (const Json* filled = line.find("gap_filled"); filled && filled->as_integer()) {
    state.gap_filled = std::max(state.gap_filled, *filled->as_integer());
  }
}

Json one_number(std::string_view key, std::int64_t value) {
  Json line = Json::object();
  line.add_unchecked(std::string(key), value);
  return line;
}

std::string to_lines(const TurnState& state) {
  std::string bytes;
  const auto add = [&](const Json& line) { bytes += to_string(line) + '\n'; };
  for (const CountedTurn& turn : state.turns) add(to_line(turn));
  for (const std::int64_t turn : state.extracted) add(one_number("extracted", turn));
  if (state.gap_filled >= 0) add(one_number("gap_filled", state.gap_filled));
  return bytes;
}

}  // namespace

path turn_folder(const Vault& vault) { return capture_use_folder(vault.state_folder()); }

Result<TurnState> read_turn_state(const Vault& vault, const std::string& session) {
  const auto bytes = TRY(read_file_if_any(vault.files(), file_of(vault, session)));
  TurnState state;
  visit_json_lines(bytes.value_or(""), line_limits, [&](int, const Json* line) {
    if (line) take_line(*line, state);
  });
  return state;
}

Result<TurnFolder> TurnFolder::lock(const Vault& vault) {
  TRY(make_folders(vault.files(), turn_folder(vault)));
  auto held = TRY(ProcessLock::acquire(vault.files(), turn_folder(vault), write_patience));
  return TurnFolder(vault, std::move(held));
}

Status TurnFolder::append(const std::string& session, const Json& line) const {
  TRY(append_json_line(vault_->files(), file_of(*vault_, session), line));
  return {};
}

Status TurnFolder::count(const std::string& session, const CountedTurn& turn) const { return append(session, to_line(turn)); }

Status TurnFolder::note_extracted(const std::string& session, std::int64_t turn) const {
  return append(session, one_number("extracted", turn));
}

Status TurnFolder::note_gap_filled(const std::string& session, std::int64_t last_turn) const {
  return append(session, one_number("gap_filled", last_turn));
}

Status TurnFolder::drop_words(const std::string& session, const std::function<bool(std::int64_t turn)>& are_of) const {
  const auto state = TRY(read(session));
  TurnState left = state;
  for (CountedTurn& turn : left.turns)
    if (are_of(turn.number)) turn = {.number = turn.number, .message = turn.message};
  std::erase_if(left.extracted, are_of);  // a summary covers them: that says it
  if (left == state) return {};
  const std::string bytes = to_lines(left);
  return bytes.empty() ? vault_->files().remove(file_of(*vault_, session))
                       : write_file(vault_->files(), file_of(*vault_, session), bytes);
}

}  // namespace loci
