// One kept-alive connection to a daemon, as an agent that stays has it: http/client asks one question a connection. One thread at a
// time.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/file_system.h"
#include "base/json.h"

namespace loci::bench {

class DaemonConnection {
 public:
  // The daemon listens already; what goes wrong ends the program.
  explicit DaemonConnection(const path& socket);

  struct Answer {
    int status = 0;
    std::string body;
  };
  Answer ask(const std::string& method, const std::string& target, const std::string& body = {});

  // The search shape of an answer with status 200.
  Json search(const std::string& words, size_t limit = 8);
  // Stores one entry; whether it was searchable, too, when the answer came.
  bool add(const std::string& text);

 private:
  void send(std::string_view bytes);

  Fd fd_;
  std::string received_;  // behind what was answered
};

bool has_hits(const Json& search);
// A scan has found nothing left to do, and nothing came since.
bool is_fresh(const Json& search);

}  // namespace loci::bench
