#include "daemon/panel_door.h"

#include "base/log.h"
#include "daemon/routes_events.h"
#include "memory/json_shapes.h"
#include "panel/page.h"

namespace loci {
namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr size_t most_connections = 64, workers = 2;

HttpResponse not_allowed() { return error_response(Error{ErrorCode::refused, "only 'loci panel' opens the panel", ""}, 403); }

Result<bool> is_to_be_printed(const HttpRequest& request) {
  if (request.body.empty()) return false;
  const auto body = TRY(parse_json(request.body, {.bytes = 1'000}));
  const Json* printed = body.find("printed");
  return printed && printed->as_bool() && *printed->as_bool();
}

std::string text_of(const HttpRequest& request, std::string_view member) {
  const auto body = parse_json(request.body, {.bytes = 1'000});
  return body ? body->text_at(member) : std::string();
}

HttpResponse no_login(const char* why) { return error_response(Error{ErrorCode::refused, why, "run 'loci panel' again"}, 401); }

}  // namespace

PanelDoor::PanelDoor(const Vault& vault, RouteContext context, Routes& routes)
    : vault_(vault),
      routes_(routes),
      events_(context.events),
      routes_of_its_own_(std::move(context)),
      logins_(vault.files(), vault.state_folder() / logins_file_name, vault.clock()) {}

void PanelDoor::answer(const HttpRequest& request, const Respond& respond) {
  if (!request.from_command_line || request.method != "POST") return respond(not_allowed());
  const auto printed = is_to_be_printed(request);
  if (!printed) return respond(error_response(printed.error()));
  const std::lock_guard lock(mutex_);
  if (auto listening = listen(); !listening) return respond(error_response(listening.error()));
  const auto life = *printed ? printed_token_life : token_life;
  Json body = versioned();
  body.add_unchecked("url", "http://" + host_ + "/#" + logins_.make_token(life));
  body.add_unchecked("port", std::int64_t{server_->tcp_port()});
  body.add_unchecked("expires_in", std::int64_t{life.count()});
  respond(json_response(body));
}

void PanelDoor::listen_again() {
  const std::lock_guard lock(mutex_);
  if (!logins_.open_until()) return;
  if (auto listening = listen(); !listening) log_warning("the panel is closed: " + listening.error().message);
}

// The port of last time, if it is free: a page that waits for the daemon finds it again, and so does a port that ssh forwards.
Status PanelDoor::listen() {
  if (server_) return {};
  const auto start = [&](std::uint16_t port) {
    HttpOptions options;
    options.listen = std::string(loopback) + ':' + std::to_string(port);
    options.workers = workers;
    options.max_connections = most_connections;
    return HttpServer::start(
        std::move(options), [this](HttpRequest request, Respond respond) { handle(std::move(request), std::move(respond)); },
        [this](const std::string& tcp_host, std::uint16_t tcp_port) -> HttpRefuse {
          host_ = tcp_host + ':' + std::to_string(tcp_port);
          return [guard = PanelGuard{host_, cookie_name(), [this](std::string_view cookie, std::string_view key) {
                                       return logins_.holds(cookie, key);
                                     }}](const HttpRequest& request) { return guard.refuse(request); };
        });
  };
  auto started = start(logins_.port());
  if (!started && logins_.port() != 0) started = start(0);
  if (!started) return std::unexpected(started.error());
  server_ = std::move(*started);
  logins_.set_port(server_->tcp_port());
  log_notice("the panel listens on " + host_);
  return {};
}

void PanelDoor::close_if_over() {
  const std::lock_guard lock(mutex_);
  if (!server_ || logins_.open_until()) return;
  server_.reset();
  log_notice("the panel is closed: nobody is logged in");
}

void PanelDoor::stop() {
  const std::lock_guard lock(mutex_);
  if (server_) server_->stop(std::chrono::milliseconds(500));
  server_.reset();
}

void PanelDoor::handle(HttpRequest request, Respond respond) {
  const PanelRoute route = panel_route_of(request.path);
  if (route == PanelRoute::page) return respond(page_response(request));
  if (route == PanelRoute::login) return respond(request.query.contains("proof") ? prove(request) : log_in(request));
  if (request.path == log_out_path) return respond(log_out(request));
  if (request.path == "/memory/events" && request.method == "GET" && events_) return respond(follow(request));
  request.from_panel = true;
  if (!routes_of_its_own_.handle(request, respond)) routes_.handle(std::move(request), std::move(respond));
}

void PanelDoor::set_cookie(HttpResponse& response, const std::string& value, std::chrono::seconds life) const {
  response.headers["Set-Cookie"] =
      cookie_name() + '=' + value + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" + std::to_string(life.count());
}

HttpResponse PanelDoor::log_in(const HttpRequest& request) {
  const auto login = logins_.exchange(text_of(request, "token"), cookie_of_login(request));
  if (!login) return no_login("this address was used already, or is too old");
  (void)vault_.files().remove(vault_.state_folder() / panel_address_name);
  Json body = versioned();
  body.add_unchecked("key", login->key);
  body.add_unchecked("page", page_version());
  auto response = json_response(body);
  set_cookie(response, login->cookie, login_life);
  return response;
}

// Every tab of that browser is out, those that only listen too.
HttpResponse PanelDoor::log_out(const HttpRequest& request) {
  if (request.method != "POST") return error_response(Error{ErrorCode::usage, "this method does not work here"}, 405);
  logins_.end(cookie_of_login(request));
  if (events_) events_->something_changed();
  auto response = json_response(versioned());
  set_cookie(response, "", std::chrono::seconds(0));
  return response;
}

// For as long as the login goes on.
HttpResponse PanelDoor::follow(const HttpRequest& request) {
  return events_while(*events_, Actor::person,
                      [this, cookie = cookie_of_login(request), key = request.panel_key] { return logins_.holds(cookie, key); });
}

HttpResponse PanelDoor::prove(const HttpRequest& request) const {
  auto proofs = logins_.proofs(cookie_of_login(request), request.host, text_of(request, "nonce"));
  Json body = versioned();
  body.add_unchecked("proofs", std::move(proofs.live));
  body.add_unchecked("ended", std::move(proofs.ended));
  body.add_unchecked("page", page_version());
  return json_response(body);
}

}  // namespace loci
