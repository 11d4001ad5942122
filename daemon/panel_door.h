// The panel's way into the daemon: a listener of its own on loopback, opened when somebody asks for the panel and closed when
// neither a token nor a login counts any more. It serves the page, exchanges tokens for logins, and passes what a person who is
// logged in asks to the routes, as theirs.
//
// open() and passed on requests: any thread; close_if_over() and stop(): the thread that looks after the daemon.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "daemon/panel_routes.h"
#include "daemon/routes.h"
#include "http/server.h"
#include "panel/logins.h"
#include "panel/panel_guard.h"
#include "vault/layout/vault.h"

namespace loci {

class PanelDoor {
 public:
  PanelDoor(const Vault& vault, RouteContext context, Routes& routes);
  ~PanelDoor() { stop(); }

  // Answers `loci panel`, {"printed":bool}: {"v":1,"url","port","expires_in"}. The address holds a token; nobody else may hear of
  // it.
  void answer(const HttpRequest& request, const Respond& respond);

  void listen_again();  // where the last daemon listened, if somebody is still logged in
  void close_if_over();
  void stop();

 private:
  Status listen();
  void handle(HttpRequest request, Respond respond);
  HttpResponse log_in(const HttpRequest& request);
  HttpResponse log_out(const HttpRequest& request);
  HttpResponse follow(const HttpRequest& request);
  HttpResponse prove(const HttpRequest& request) const;
  std::string cookie_name() const { return "loci-" + vault_.id(); }
  std::string cookie_of_login(const HttpRequest& request) const { return cookie_of(request.cookie, cookie_name()); }
  void set_cookie(HttpResponse& response, const std::string& value, std::chrono::seconds life) const;

  const Vault& vault_;
  Routes& routes_;
  EventHub* events_;  // null: nobody tells of changes
  PanelRoutes routes_of_its_own_;
  Logins logins_;
  std::mutex mutex_;  // of what follows
  std::unique_ptr<HttpServer> server_;
  std::string host_;  // "127.0.0.1:7777"
};

}  // namespace loci
