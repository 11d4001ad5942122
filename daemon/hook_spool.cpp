#include "daemon/hook_spool.h"

#include "agents/spool.h"
#include "base/log.h"
#include "daemon/routes_capture.h"

namespace loci {

void HookSpool::drain(const RouteContext& context, ModelWork& model_work) {
  (void)context.writes.run([this, &context, &model_work](Memory& memory) {
    const SpoolActions actions{
        .stored =
            [&](Memory& of, const StoredTurn& stored) {
              if (wants_extraction(of.vault(), stored)) extract_in_background(context, model_work, stored.session, stored.turn);
            },
        .ended = [&](Memory&, const std::string& session) { end_session_in_background(context, model_work, session); }};
    const auto drained = drain_spool(memory, actions, std::chrono::milliseconds(0));
    if (!drained && drained.error().code != ErrorCode::locked)
      log_warning("what hooks have enqueued waits: " + drained.error().message);
  });
}

void HookSpool::end_session_in_background(const RouteContext& context, ModelWork& model_work, const std::string& session) {
  const bool is_new = ending_.with([&](auto& ending) { return ending.insert(session).second; });
  if (!is_new) return;
  const bool is_posted = model_work.post_in_background([this, &context, session](std::stop_token stop) {
    const auto ended = end_session_of(context, session, stop);
    (void)context.memories.with<bool>([&](Memory& memory) -> Result<bool> {
      if (stop.stop_requested()) return true;  // the next daemon finds the mark
      const bool is_over = ended || ended.error().code == ErrorCode::not_found;
      TRY(is_over ? finish_session_end(memory.vault(), session) : postpone_session_end(memory.vault(), session));
      return true;
    });
    ending_.with([&](auto& ending) { ending.erase(session); });
  });
  if (!is_posted) ending_.with([&](auto& ending) { ending.erase(session); });
}

}  // namespace loci
