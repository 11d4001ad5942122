// tests/support/model_server.py, started for one test on free ports of this machine and ended with it. What its script may say is
// described there.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/json.h"
#include "tests/support/temporary_folder.h"

namespace loci {

class ModelServer {
 public:
  // `script` is JSON. Fails the test if it does not start.
  explicit ModelServer(const std::string& script = "{}", const std::string& key = "", const std::vector<std::string>& options = {});
  // The same with another program that takes the same options: tests/support/embedding_server.py.
  static ModelServer of_embeddings(const std::string& script = "{}", const std::string& key = "");
  ~ModelServer();
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;

  std::string base_url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }
  int elsewhere() const { return elsewhere_; }  // where its redirects lead

  // A line a request, as far as the server has seen them; those that were redirected included.
  std::vector<Json> requests() const;

 private:
  ModelServer(const char* program, const std::string& script, const std::string& key, const std::vector<std::string>& options);

  TemporaryFolder folder_;
  Fd input_;  // it ends when this does
  pid_t process_ = -1;
  int port_ = 0, elsewhere_ = 0;
};

}  // namespace loci
