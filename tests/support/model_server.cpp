#include "tests/support/model_server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <sstream>

extern char** environ;

namespace loci {
namespace {

struct Pipe {
  Fd reading, writing;
};

Pipe make_pipe() {
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  return {Fd(ends[0]), Fd(ends[1])};
}

pid_t spawn(std::vector<std::string> words, const Fd& input, const Fd& output) {
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output.get(), STDOUT_FILENO);
  pid_t process = -1;
  EXPECT_EQ(::posix_spawnp(&process, "python3", &actions, nullptr, arguments.data(), environ), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  return process;
}

}  // namespace

ModelServer::ModelServer(const std::string& script, const std::string& key, const std::vector<std::string>& options)
    : ModelServer(LOCI_MODEL_SERVER, script, key, options) {}

ModelServer ModelServer::of_embeddings(const std::string& script, const std::string& key) {
  return ModelServer(LOCI_EMBEDDING_SERVER, script, key, {});
}

ModelServer::ModelServer(const char* program, const std::string& script, const std::string& key,
                         const std::vector<std::string>& options) {
  folder_.write("script.json", script);
  std::vector<std::string> words = {
      "python3", program, "--with-stdin", "--script", (folder_ / "script.json").string(), "--log", (folder_ / "log.jsonl").string(),
      "--key",   key};
  words.insert(words.end(), options.begin(), options.end());
  Pipe input = make_pipe(), output = make_pipe();
  process_ = spawn(std::move(words), input.reading, output.writing);
  input_ = std::move(input.writing);
  output.writing.reset();
  const std::unique_ptr<FILE, int (*)(FILE*)> lines(::fdopen(output.reading.release(), "r"), &::fclose);
  EXPECT_EQ(std::fscanf(lines.get(), "%d %d", &port_, &elsewhere_), 2) << "the model server has not started";
}

ModelServer::~ModelServer() {
  input_.reset();
  ::waitpid(process_, nullptr, 0);
}

std::vector<Json> ModelServer::requests() const {
  std::vector<Json> out;
  std::istringstream lines(folder_.read("log.jsonl"));
  for (std::string line; std::getline(lines, line);)
    if (auto request = parse_json(line)) out.push_back(std::move(*request));
  return out;
}

}  // namespace loci
