#include "context/context.h"

#include <algorithm>

#include "capture/pauses.h"
#include "context/used.h"
#include "memory/json_shapes.h"
#include "vault/logs/recall_log.h"

namespace loci {
namespace {

// Nobody is told if it fails: a full disk must not spoil an answer.
void log_block(const Memory& memory, const ContextRequest& request, const MessageBlock& block) {
  Retrieval retrieval;
  retrieval.query = request.message;
  retrieval.session = request.session;
  retrieval.turn = request.turn;
  for (const GivenEntry& entry : block.given) retrieval.ids.push_back(entry.id);
  retrieval.details.set("given", given_to_json(block.given));
  retrieval.details.set("cut", cut_to_json(block.cut));
  retrieval.details.set("scores", block.scores);
  (void)log_retrieval(memory.vault(), retrieval);
}

constexpr size_t messages_still_in_sight = 10;

GivenHashes still_given(const KeptSession& kept) {
  GivenHashes hashes;
  const size_t begin = kept.given.size() - std::min(kept.given.size(), messages_still_in_sight);
  for (size_t i = begin; i < kept.given.size(); ++i)
    for (const auto& [id, hash] : kept.given[i]) hashes.insert_or_assign(id, hash);
  return hashes;
}

Result<MessageBlock> make_and_log(Memory& memory, const ContextRequest& request, const ContextEntries& found, std::string system) {
  GivenBefore before{std::move(system), {}};
  const bool notes_given = request.leave_out_still_given && !request.session.empty();
  if (notes_given) before.entries = still_given(read_kept_session(memory.vault(), request.session));
  auto block = TRY(make_message_block(memory, request, found, before));
  if (may_be_noted(memory.vault(), request.session, request.message)) log_block(memory, request, block);
  GivenHashes given;
  for (const GivenEntry& entry : block.given) given.emplace(entry.id, entry.hash);
  if (notes_given) (void)keep_given(memory.vault(), request.session, given);
  return block;
}

SystemBlockRequest system_request_of(const ContextRequest& request) {
  return {request.session, request.task, {}, request.compacted};
}

}  // namespace

Result<MessageBlock> message_block(Memory& memory, const ContextRequest& request) {
  const bool was_kept = !request.session.empty() && !read_kept_session(memory.vault(), request.session).block.empty();
  std::string system;
  if (request.has_system_block.value_or(was_kept)) system = TRY(session_block(memory, system_request_of(request)));
  const auto found = TRY(memory.ask<ContextEntries>([&](IndexReader& reader) { return find_candidates(memory, reader, request); }));
  return make_and_log(memory, request, found, std::move(system));
}

Result<Context> context_of(Memory& memory, const ContextRequest& request, const ContextEntries& found) {
  Context context;
  context.system = TRY(session_block(memory, system_request_of(request)));
  context.message =
      TRY(make_and_log(memory, request, found, request.has_system_block.value_or(true) ? context.system : std::string()));
  return context;
}

Json context_to_json(const Context& context) {
  Json out = versioned();
  out.add_unchecked("l0", context.system);
  out.add_unchecked("block", context.message.text);
  out.add_unchecked("tokens", context.message.tokens);
  out.add_unchecked("exact", context.message.exact);
  out.add_unchecked("given", given_to_json(context.message.given));
  out.add_unchecked("cut", cut_to_json(context.message.cut));
  return out;
}

}  // namespace loci
