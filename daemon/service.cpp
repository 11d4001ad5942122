#include "daemon/service.h"

#include <malloc.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <latch>

#include "base/log.h"
#include "base/out_of_memory.h"
#include "consolidate/configured_model.h"
#include "consolidate/model_problem.h"
#include "daemon/consolidate_loop.h"
#include "daemon/embedding_loop.h"
#include "daemon/event_hub.h"
#include "daemon/heartbeat.h"
#include "daemon/housekeeper.h"
#include "daemon/index_loop.h"
#include "daemon/listening.h"
#include "daemon/loop.h"
#include "daemon/memory_pool.h"
#include "daemon/metrics.h"
#include "daemon/panel_door.h"
#include "daemon/routes.h"
#include "daemon/service_status.h"
#include "daemon/settings_in_use.h"
#include "daemon/state_of_memory.h"
#include "daemon/sync_loop.h"
#include "daemon/vault_watcher.h"
#include "daemon/write_queue.h"
#include "embeddings/embedder.h"
#include "http/guard.h"
#include "http/server.h"
#include "vault/layout/socket_path.h"

namespace loci {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

// What asks can wait: a command does, and a hook of an agent does without the daemon.
HttpResponse takes_settings_over() {
  auto response = error_response(Error{ErrorCode::locked, "the daemon is taking over changed settings", "ask again in a moment"});
  response.headers["Retry-After"] = "1";
  return response;
}

}  // namespace

struct Service::Impl {
  explicit Impl(ServiceOptions given) : options(std::move(given)) {}
  ~Impl() { stop(); }

  Status open();
  IndexLoop::Surroundings around_index();
  void look_at_settings(std::string as_read);
  Result<std::unique_ptr<LanguageModel>> open_language_model();
  Result<std::unique_ptr<EmbeddingModel>> open_embeddings();
  void want_reload();
  Status listen();
  RouteContext route_context();
  void start_threads();
  void stop();

  Memory open_memory() const { return Memory::on(*vault, index); }
  Events state_now();
  void make_loops();
  bool write_step();
  void beat();
  void check_beat();
  HttpHandler handler();
  void serve_without_tcp(const Error& error);
  std::vector<Problem> own_troubles();

  ServiceOptions options;
  std::unique_ptr<Vault> vault;
  Synchronized<ChangeSet> changes;
  std::optional<SettingsInUse> settings;
  std::unique_ptr<VaultWatcher> watcher;
  std::shared_ptr<IndexLoop> index;
  Metrics metrics;
  std::unique_ptr<MemoryPool> memories;
  std::unique_ptr<WriteQueue> writes;
  std::unique_ptr<Housekeeper> housekeeper;
  std::unique_ptr<ConsolidateLoop> consolidation;
  std::unique_ptr<SyncLoop> sync;
  std::unique_ptr<EmbeddingLoop> embedding;  // null where embeddings are off; so is the next
  std::unique_ptr<Embedder> embedder;
  std::unique_ptr<EventHub> events;
  std::unique_ptr<Routes> routes;
  std::unique_ptr<PanelDoor> panel;
  std::unique_ptr<HttpServer> server;

  std::optional<Loop> watch_loop, index_loop, write_loop, consolidate_loop, sync_loop, embedding_loop;
  std::atomic<bool> stopping{false}, reload{false};
  bool has_inherited_socket = false;
  std::optional<Problem> tcp_trouble;                     // as it was opened
  Synchronized<std::optional<Problem>> settings_trouble;  // why newer settings were not taken over
  std::latch all_is_open{1};                              // requests wait until everything that they need is there
  std::optional<Heartbeat> heartbeat;
  Signals* signals = nullptr;  // of the caller of run(), while it is in there
  std::mutex signals_mutex;
  Instant started_at;
};

// --- opening ---

Status Service::Impl::open() {
  auto opened = options.opened ? std::move(*options.opened)
                               : TRY(OpenedVault::open(options.root, options.environment, options.files, options.clock));
  look_at_settings(std::move(opened.settings_state));
  vault = std::make_unique<Vault>(std::move(opened.vault));
  started_at = options.clock.now();
  for (const Problem& warning : vault->loaded_config().warnings) log_warning(warning.file + ": " + warning.message);
  auto opened_index = TRY(open_index(around_index(), options.environment));
  index = std::move(opened_index);
  auto opened_watcher = TRY(VaultWatcher::open(*vault, changes));
  watcher = std::move(opened_watcher);
  memories = std::make_unique<MemoryPool>([this] { return open_memory(); });
  writes = std::make_unique<WriteQueue>(open_memory(), [this](size_t entries) { metrics.batch_stored(entries); });
  housekeeper = std::make_unique<Housekeeper>(*vault, *writes);
  consolidation = std::make_unique<ConsolidateLoop>(
      ConsolidateLoop::Surroundings{.open_memory = [this] { return open_memory(); },
                                    .open_language_model = [this] { return open_language_model(); },
                                    .interval = std::chrono::seconds(vault->config().consolidation.interval_seconds),
                                    .state_changed = [this] { events->something_changed(); }});
  events = std::make_unique<EventHub>([this] { return state_now(); });
  embedder = Embedder::of(*vault, options.environment);
  if (embedder) embedding = std::make_unique<EmbeddingLoop>(open_memory(), [this] { return open_embeddings(); });
  sync = std::make_unique<SyncLoop>(open_memory(), std::chrono::minutes(vault->config().sync.minutes));
  return listen();
}

// The index is opened before there is a watcher.
IndexLoop::Surroundings Service::Impl::around_index() {
  return {.vault = *vault,
          .changes = changes,
          .root_stands = [this] { return watcher->root_stands(); },
          .restart_watcher = [this](const std::string& reason) { watcher->restart(reason); },
          .rescan_every =
              [this] { return watcher ? watcher->rescan_every() : std::chrono::minutes(vault->config().watch.rescan_minutes); },
          .index_changed =
              [this](const std::vector<std::string>& files) {
                memories->index_changed();
                events->index_changed(files);
                if (embedding) embedding->index_changed();
              },
          .looked_at = [this](const std::vector<std::string>& files) { housekeeper->looked_at(files); },
          .settings_changed = [this] { want_reload(); },
          .scanned = [this] { settings->are_newest(); }};
}

// Whoever saves settings may be in the middle of it: they wait for the writer as any file does. A vault that was moved away has
// none to take over.
void Service::Impl::look_at_settings(std::string as_read) {
  const auto state = [this, as_read] {
    return watcher && !watcher->root_stands() ? as_read : state_of_settings(options.root, options.environment);
  };
  const auto found = [](ChangeSet& waiting) { waiting.add_found(std::string(vault_config_name), steady_clock::now()); };
  settings.emplace(std::move(as_read), state, [this, found] { changes.change(found); });
}

Result<std::unique_ptr<LanguageModel>> Service::Impl::open_language_model() {
  return asked_by_newest(*settings, TRY(open_configured_model(*vault, options.environment)));
}

Result<std::unique_ptr<EmbeddingModel>> Service::Impl::open_embeddings() {
  return asked_by_newest(*settings, TRY(open_configured_embeddings(*vault, options.environment)));
}

void Service::Impl::want_reload() {
  reload = true;
  const std::lock_guard lock(signals_mutex);
  if (signals != nullptr) signals->interrupt();
}

Status Service::Impl::listen() {
  auto listening = TRY(listening_of(*vault, options.environment, options.manager.inherited_socket()));
  has_inherited_socket = static_cast<bool>(listening.http.inherited);
  if (listening.no_tcp) serve_without_tcp(*listening.no_tcp);
  listening.http.without_tcp = [this](const Error& error) { serve_without_tcp(error); };
  const RouteContext context = route_context();
  routes = std::make_unique<Routes>(context);
  panel = std::make_unique<PanelDoor>(*vault, context, *routes);
  const auto guarded = [token = std::move(listening.token)](const std::string& host, std::uint16_t port) -> HttpRefuse {
    return [guard = HttpGuard{token, port, host}](const HttpRequest& request) { return guard.refuse(request); };
  };
  auto started = TRY(HttpServer::start(std::move(listening.http), handler(), guarded));
  server = std::move(started);
  return {};
}

RouteContext Service::Impl::route_context() {
  return {.memories = *memories,
          .writes = *writes,
          .keeper = *index,
          .status =
              [this](Memory& memory) {
                return service_status(memory, *index, watcher->watcher(), *housekeeper, *consolidation, embedding.get(),
                                      own_troubles(), started_at);
              },
          .wait_until_searchable = [this](milliseconds patience) { return index->wait_until_clean(patience); },
          .consolidate = [this](bool force, ConsolidateLoop::Done done) { consolidation->ask(force, std::move(done)); },
          .open_language_model = [this] { return open_language_model(); },
          .metrics = [this] { return metrics.text(*index, watcher->watcher(), *server); },
          .health = [this]() -> Status {
            if (const auto trouble = index->state().trouble) return std::unexpected(*trouble);
            return {};
          },
          .may_write = [this]() -> Status {
            if (watcher->root_stands()) return {};
            return std::unexpected(vault_is_gone(*vault));
          },
          .similar = [this](const Memory&, const std::string& question) -> std::shared_ptr<SimilarTexts> {
            return embedder ? embedder->similar_to(question) : nullptr;
          },
          .events = events.get()};
}

// Whoever edits keeps an index that follows, and the commands a daemon: a setting that cannot be served is no reason to end.
void Service::Impl::serve_without_tcp(const Error& error) {
  log_error("there is no HTTP over TCP: " + error.message);
  tcp_trouble = Problem{"", 0, "http-listen", "there is no HTTP over TCP: " + error.message};
}

std::vector<Problem> Service::Impl::own_troubles() {
  std::vector<Problem> troubles;
  if (tcp_trouble) troubles.push_back(*tcp_trouble);
  if (const auto settings = settings_trouble.with([](const auto& trouble) { return trouble; })) troubles.push_back(*settings);
  if (auto problem = model_problem(*vault, options.environment)) troubles.push_back(std::move(*problem));
  if (embedding) {
    const auto error = embedding->state().error;
    if (const auto trouble = error ? error : embedder->trouble())
      troubles.push_back(Problem{"", 0, "embeddings", *trouble + "; searches go by words alone meanwhile"});
  }
  return troubles;
}

HttpHandler Service::Impl::handler() {
  return [this](HttpRequest request, Respond respond) {
    all_is_open.wait();
    auto answer = metrics.counted(request, std::move(respond));
    if (!settings->are_newest()) return answer(takes_settings_over());
    if (request.path == "/panel") return panel->answer(request, answer);
    routes->handle(std::move(request), std::move(answer));
  };
}

void Service::Impl::make_loops() {
  watch_loop.emplace(Loop::Work{.name = "watch",
                                .step = [this] { return watcher->step(); },
                                .nudge = [this] { watcher->wake(); },
                                .stop = [this] { watcher->stop(); }});
  write_loop.emplace(Loop::Work{.name = "write",
                                .step = [this] { return write_step(); },
                                .nudge = [this] { (void)writes->run([](Memory&) {}); },
                                .stop = [this] { writes->stop(); }});
  const auto make = [](std::optional<Loop>& loop, const char* name, auto& of) {
    loop.emplace(Loop::Work{.name = name,
                            .step = [&of] { return of.step(); },
                            .nudge = [&of] { of.nudge(); },
                            .stop = [&of] { of.stop(); },
                            .progress = [&of] { return of.rounds(); }});
  };
  make(index_loop, "index", *index);
  make(consolidate_loop, "consolidate", *consolidation);
  make(sync_loop, "sync", *sync);
  if (embedding) make(embedding_loop, "embeddings", *embedding);
}

void Service::Impl::start_threads() {
  make_loops();
  std::vector<Loop*> loops = {&*watch_loop, &*index_loop, &*write_loop, &*consolidate_loop, &*sync_loop};
  if (embedding_loop) loops.push_back(&*embedding_loop);
  std::vector<Heartbeat::Member> members{{"serve", [this] { return server->pongs(); }, [this] { server->ping(); }}};
  for (Loop* loop : loops) members.push_back(loop->for_heartbeat());
  heartbeat.emplace(std::move(members));
  for (Loop* loop : loops) loop->start();
  all_is_open.count_down();
  routes->drain_hooks();
  panel->listen_again();
}

// In the order in which they need each other: first nobody asks any more, then what was asked is done, then the rest stops.
void Service::Impl::stop() {
  if (stopping.exchange(true)) return;
  if (sync_loop) sync_loop->tell_to_stop();
  if (embedding_loop) embedding_loop->tell_to_stop();
  if (consolidate_loop) consolidate_loop->tell_to_stop();  // answers those who wait for it
  if (server) server->stop(milliseconds(1'500));
  if (panel) panel->stop();
  if (events) events->stop();
  for (auto* loop : {&consolidate_loop, &sync_loop, &embedding_loop, &write_loop, &index_loop, &watch_loop})
    if (*loop) (*loop)->stop();
}

Events Service::Impl::state_now() {
  return memories->with<Events>([this](Memory& memory) -> Result<Events> { return state_of(memory, consolidation->state()); })
      .value_or(Events());
}

// --- the loops ---

bool Service::Impl::write_step() {
  if (!writes->step(housekeeper->next_due())) return false;
  const Status kept = within_memory("look after the vault", [&]() -> Status {
    housekeeper->step();
    return {};
  });
  if (!kept) log_error(kept.error().message);
  events->something_changed();  // a question was asked or answered, a run taken back
  return true;
}

// --- the heartbeat ---

void Service::Impl::beat() {
  settings->are_newest();  // where nobody asks for anything
  panel->close_if_over();
  memories->release_idle();
  routes->drain_hooks();
  ::malloc_trim(0);  // what many searches at once needed is the system's again
  heartbeat->ask();
  watcher->listen();
}

void Service::Impl::check_beat() {
  if (watcher->is_deaf()) {
    log_error("the watcher is deaf: it did not see a file that was made to test it");
    watcher->restart("the watcher was deaf");
  }
  if (std::error_code error; !has_inherited_socket && !std::filesystem::exists(daemon_socket(*vault, options.environment), error)) {
    log_error("the socket was removed: making it anew");
    reload = true;
  }
  const auto silent = heartbeat->silent();
  for (const std::string& name : silent) log_error("the loop '" + name + "' does not go on");
  if (silent.empty()) options.manager.alive();
}

Service::End Service::run(Signals& signals) {
  auto& me = *impl_;
  const auto with_signals = [&](Signals* now) {
    const std::lock_guard lock(me.signals_mutex);
    me.signals = now;
  };
  with_signals(&signals);
  auto next = steady_clock::now() + me.options.heartbeat;
  bool is_asked = false;
  End end = End::stopped;
  while (true) {
    if (me.reload.exchange(false)) {  // also one that was wanted before anybody could be interrupted
      end = End::reload;
      break;
    }
    if (const auto signal = signals.wait(next)) {
      end = *signal == SIGHUP ? End::reload : End::stopped;
      break;
    }
    if (steady_clock::now() < next) continue;
    is_asked ? me.check_beat() : me.beat();
    next = steady_clock::now() + (is_asked ? me.options.heartbeat - me.options.heartbeat_grace : me.options.heartbeat_grace);
    is_asked = !is_asked;
  }
  with_signals(nullptr);
  if (end == End::reload) me.settings->begin_taking_over();
  return end;
}

void Service::keep_settings(Problem why) {
  log_error("the settings are not taken over: " + why.message);
  why.message += "; the daemon goes on with the settings that it has";
  impl_->settings_trouble.with([&](auto& trouble) { trouble = std::move(why); });
  impl_->settings->keep();
}

Service::Service(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Service::~Service() = default;

Result<std::unique_ptr<Service>> Service::start(ServiceOptions options) {
  if (const auto patience = options.manager.watchdog()) {  // a user may have told systemd to be stricter than our unit
    options.heartbeat = std::min(options.heartbeat, std::chrono::duration_cast<milliseconds>(*patience) / 2);
    options.heartbeat_grace = std::min(options.heartbeat_grace, options.heartbeat / 2);
  }
  auto impl = std::make_unique<Impl>(std::move(options));
  TRY(impl->open());
  impl->start_threads();
  const auto port = impl->server->tcp_port();
  log_notice("keeping the vault " + impl->vault->root().string() + ", listening on " +
             daemon_socket(*impl->vault, impl->options.environment).string() +
             (port != 0 ? " and " + impl->server->tcp_host() + ":" + std::to_string(port) : ""));
  return std::unique_ptr<Service>(new Service(std::move(impl)));
}

path Service::socket() const { return daemon_socket(*impl_->vault, impl_->options.environment); }
std::uint16_t Service::tcp_port() const { return impl_->server->tcp_port(); }

}  // namespace loci
