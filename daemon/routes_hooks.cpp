#include "daemon/routes_hooks.h"

#include "agents/hook.h"
#include "agents/hook_context.h"
#include "agents/hook_proof.h"
#include "agents/hook_session.h"

namespace loci {
namespace {

// `loci hook` asks for a proof that nobody else answers it. Without one it goes on as if nobody had.
HttpResponse proven(const RouteCall& call, const Vault& vault, const HookInput& input, HttpResponse response) {
  if (!call.request.from_command_line || input.nonce.empty()) return response;
  if (auto proof = hook_proof(vault, input.nonce, response.body))
    response.headers[std::string(hook_proof_header)] = std::move(*proof);
  else
    note_trouble(vault, name_of(input.event), proof.error());
  return response;
}

Result<HttpResponse> answer_hook(const RouteCall& call, Memory& memory, HookInput input) {
  // `loci hook` has looked whether it may, and enqueued what there was.
  bool may_be_given = !input.is_unanswered;
  if (!input.is_enqueued || !call.request.from_command_line) {
    const Actor told_by = call.request.from_command_line ? Actor::person : Actor::agent;
    may_be_given = TRY(record_hook(memory.vault(), input, told_by, {}));
  }
  const auto context = may_be_given ? TRY(hook_context(memory, input)) : std::string();
  return proven(call, memory.vault(), input, json_response(hook_answer(input, context)));
}

Result<HttpResponse> answer(const RouteCall& call) {
  const auto event = hook_event_named(call.id);
  if (!event) return fail(ErrorCode::not_found, "there is no event '" + call.id + "'", "the manual lists them under 'hook'");
  auto input = TRY(parse_hook_input(*event, call.request.body));
  return call.context.memories.with<HttpResponse>([&](Memory& memory) { return answer_hook(call, memory, std::move(input)); });
}

}  // namespace

void post_hook(const RouteCall& call, const Respond& respond) {
  const auto answered = answer(call);
  respond(answered ? *answered : error_response(answered.error()));
  if (answered) call.hook_spool.drain(call.context, call.model_work);
}

}  // namespace loci
