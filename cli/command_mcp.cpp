#include <unistd.h>

#include "cli/command.h"
#include "edits/understand.h"
#include "embeddings/embedder.h"
#include "mcp/stdio.h"

namespace loci::cli {
namespace {

Result<Memory> open_agents_memory(const Invocation& invocation) {
  const Environment& around = invocation.environment;
  const auto root = TRY(find_vault_of_agent(around, invocation.files, around.working_folder, invocation.arguments.text("--vault")));
  if (!root)
    return fail(ErrorCode::not_found, "no vault is meant for " + around.working_folder.string(),
                "the user names one with --vault, or with default_vault in " + around.user_config_file().string());
  return invocation.open_memory_at(*root);
}

Result<int> run_mcp(Invocation& invocation) {
  std::unique_ptr<Embedder> embedder;
  bool is_known = false;
  Surroundings around;
  around.similar = [&](const Memory& memory, const std::string& question) -> std::shared_ptr<SimilarTexts> {
    if (!std::exchange(is_known, true)) embedder = Embedder::of(memory.vault(), invocation.environment);
    return embedder ? embedder->similar_to(question) : nullptr;
  };
  // Opened for each request: settings that were changed meanwhile count at once, above all what is private.
  const auto with_memory = [&](bool writes, const std::function<Status(Memory&)>& use) -> Status {
    auto memory = TRY(open_agents_memory(invocation));
    if (writes) TRY(understand_first(memory));
    return use(memory);
  };
  mcp::Server server(
      {.with_memory = with_memory, .around = around, .version = LOCI_VERSION, .can_subscribe = true, .can_subscribe_legacy = true});
  TRY(mcp::serve_stdio(server, STDIN_FILENO, STDOUT_FILENO));
  return 0;
}

}  // namespace

constinit const Command mcp_command = {
    "mcp",
    "Serve an agent by the Model Context Protocol, on standard input and output",
    "An agent starts it and ends it: it is done when its input ends. It works with and without a daemon. The vault is the one\n"
    "that agents.vaults names for the folder it was started in, else --vault, else default_vault; parent folders do not count.\n"
    "Tools: memory_search, memory_write, memory_get, recent_conversations, memory_context, memory_used, memory_status.\n"
    "What privacy.never_send names is in none of its answers.",
    {},
    {},
    run_mcp};

}  // namespace loci::cli
