#include "context/kept_session.h"

#include "base/hash.h"
#include "vault/logs/json_lines.h"

namespace loci {
namespace {

constexpr std::string_view folder_name = "context";
constexpr JsonLimits line_limits{.bytes = size_t{1} << 20, .depth = 8};

path file_of(const Vault& vault, const std::string& session) {
  return vault.state_folder() / folder_name / (hex(as_bytes(sha256(session)), 32) + ".jsonl");
}

void take_block(const Json& line, KeptSession& kept) {
  kept = {};
  kept.block = line.text_at("block");
  for (const Json& one : line.array_at("lines")) kept.lines.push_back({one.text_at("text"), one.text_at("ref")});
}

void take_given(const Json& given, KeptSession& kept) {
  GivenHashes& hashes = kept.given.emplace_back();
  if (!given.as_object()) return;
  for (const auto& [id, hash] : *given.as_object())
    if (hash.as_string()) hashes.emplace(id, *hash.as_string());
}

void remove_old_sessions(const Vault& vault) {
  const Instant oldest = vault.clock().now() - std::chrono::days(vault.config().recall.retrieval_log_days);
  std::error_code ignored;  // no folder: there are none
  for (const auto& item : std::filesystem::directory_iterator(vault.state_folder() / folder_name, ignored)) {
    struct stat info{};
    if (::stat(item.path().c_str(), &info) == 0 && modified_at(info) < oldest) (void)vault.files().remove(item.path());
  }
}

// A prompt with the text in it, or with a mark in the place of the text, is given to nobody: the next one makes another.
std::optional<std::string> purge_session(std::string_view, std::string_view bytes, const PurgedText& text) {
  bool holds = text.stands_escaped_in(bytes);
  visit_json_lines(bytes, line_limits, [&](int, const Json* line) {
    if (!line) return;
    for (const Json& one : line->array_at("lines"))
      holds |= text.has_id(one.text_at("ref")) || text.is_said_in(one.text_at("text"));
    if (const Json* given = line->find("given"); given && given->as_object())
      for (const auto& [id, hash] : *given->as_object()) holds |= text.has_id(id) || text.has_id_of_hash(id);
  });
  return holds ? std::nullopt : std::optional(std::string(bytes));
}

}  // namespace

constinit const Store kept_session_store{"what agents were given", StoreRoot::state, "context/", Permissions::owner, purge_session};

KeptSession read_kept_session(const Vault& vault, const std::string& session) {
  KeptSession kept;
  const auto bytes = read_file_if_any(vault.files(), file_of(vault, session));
  if (!bytes || !*bytes) return kept;
  visit_json_lines(**bytes, line_limits, [&](int, const Json* line) {
    if (!line) return;
    if (line->string_at("block")) take_block(*line, kept);
    if (const Json* given = line->find("given")) take_given(*given, kept);
  });
  return kept;
}

Status keep_block(const Vault& vault, const std::string& session, const std::string& block, const std::vector<KeptLine>& lines) {
  remove_old_sessions(vault);
  Json list = Json::array();
  for (const KeptLine& line : lines) {
    Json one = Json::object();
    one.add_unchecked("text", line.text);
    if (!line.ref.empty()) one.add_unchecked("ref", line.ref);
    list.push_back(std::move(one));
  }
  Json line = Json::object();
  line.add_unchecked("session", session);
  line.add_unchecked("block", block);
  line.add_unchecked("lines", std::move(list));
  TRY(append_json_line(vault.files(), file_of(vault, session), line));
  return {};
}

Status keep_given(const Vault& vault, const std::string& session, const GivenHashes& given) {
  Json hashes = Json::object();
  for (const auto& [id, hash] : given) hashes.add_unchecked(id, hash);
  Json line = Json::object();
  line.add_unchecked("given", std::move(hashes));
  TRY(append_json_line(vault.files(), file_of(vault, session), line));
  return {};
}

}  // namespace loci
