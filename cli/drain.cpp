#include "cli/drain.h"

#include "agents/background.h"
#include "agents/hook_session.h"
#include "agents/last_told.h"
#include "agents/spool.h"
#include "capture/extract.h"
#include "consolidate/configured_model.h"
#include "daemon/remote_keeper.h"
#include "vault/layout/socket_path.h"

namespace loci::cli {
namespace {

constexpr std::chrono::milliseconds patience{5'000};

// Once for all that waits; null where none is configured or its settings are wrong.
class ConfiguredModel {
 public:
  explicit ConfiguredModel(const Environment& environment) : environment_(environment) {}

  LanguageModel* of(const Vault& vault) {
    if (!asked_) {
      asked_ = true;
      if (auto opened = open_configured_model(vault, environment_)) model_ = std::move(*opened);
    }
    return model_.get();
  }

 private:
  const Environment& environment_;
  bool asked_ = false;
  std::unique_ptr<LanguageModel> model_;
};

void extract(Memory& memory, ConfiguredModel& model, const StoredTurn& stored) {
  if (!wants_extraction(memory.vault(), stored)) return;
  if (LanguageModel* asked = model.of(memory.vault())) (void)extract_from_turn(memory, *asked, stored.session, stored.turn, {});
}

void end(Memory& memory, ConfiguredModel& model, const std::string& session) {
  const auto ended = end_session(memory, model.of(memory.vault()), session, {});
  const bool is_over = ended || ended.error().code == ErrorCode::not_found;
  (void)(is_over ? finish_session_end(memory.vault(), session) : postpone_session_end(memory.vault(), session));
}

}  // namespace

void take_in_spooled(Memory& memory) {
  if (count_spooled(memory.vault()) > 0) (void)drain_spool(memory, {}, std::chrono::milliseconds(0));
}

void drain_in_background(const path& root, const Environment& environment, FileSystem& files, const Clock& clock) {
  run_in_background([&] {
    auto memory = Memory::open(root, environment, files, clock, [&](const Vault& vault) {
      return std::make_shared<RemoteKeeper>(find_daemon_socket(vault, environment));
    });
    if (!memory) return;
    ConfiguredModel model(environment);
    const SpoolActions actions{.stored = [&](Memory& of, const StoredTurn& stored) { extract(of, model, stored); },
                               .ended = [&](Memory& of, const std::string& session) { end(of, model, session); }};
    if (const auto drained = drain_spool(*memory, actions, patience); !drained)
      note_trouble(memory->vault(), "drain", drained.error());
    (void)memory->bring_up_to_date();  // for the next message: an agent cannot wait for it
    prune_hook_notes(memory->vault());
    prune_last_told(memory->vault());
  });
}

}  // namespace loci::cli
