#include "agents/hook_context.h"

#include "context/context.h"
#include "context/system_block.h"

namespace loci {

Result<std::string> hook_context(Memory& memory, const HookInput& input) {
  if (input.event == HookEvent::session_start)
    return session_block(memory, {input.session, {}, input.project, input.source == "compact"});
  if (input.event != HookEvent::user_prompt_submit) return std::string();
  ContextRequest request;
  request.message = input.prompt;
  request.session = input.session;
  request.project = input.project;
  request.leave_out_still_given = true;
  auto block = TRY(message_block(memory, request));
  return std::move(block.text);
}

Json hook_answer(const HookInput& input, const std::string& context) {
  Json answer = context.empty() ? Json::object() : hook_output(input, context);
  add_trouble(input, answer);
  return answer;
}

}  // namespace loci
