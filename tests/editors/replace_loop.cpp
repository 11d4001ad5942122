// What loci does to a file while an editor saves it.
//
// usage: replace_loop loop VAULT FILE    replaces FILE until standard input ends; prints how often that went through, and how often
//                                        a save won
//        replace_loop settle VAULT       looks at what was displaced as it will be done a day from now, and finishes what is left
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "vault/layout/vault.h"
#include "vault/rewrite/displaced.h"
#include "vault/rewrite/recovery.h"
#include "vault/rewrite/replace.h"

namespace {

using namespace loci;

class LaterClock final : public Clock {
 public:
  explicit LaterClock(std::chrono::hours later) : later_(later) {}
  Instant now() const override { return system_clock().now() + later_; }
  std::string local_date(Instant instant) const override { return system_clock().local_date(instant); }

 private:
  std::chrono::hours later_;
};

Environment environment_of(const path& vault) {
  Environment environment;
  environment.working_folder = vault;
  environment.home = environment.config_home = environment.state_home = vault.parent_path() / "home";
  environment.host = "editors";
  environment.host_name = "editors";
  return environment;
}

bool input_has_ended() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  char byte = 0;
  return ::poll(&input, 1, 0) > 0 && ::read(STDIN_FILENO, &byte, 1) <= 0;
}

// One more line of loci's at the top, in the place of the last one.
std::string change(const std::string& before, long number) {
  constexpr std::string_view mark = "loci was here ";
  const size_t rest = before.starts_with(mark) ? before.find('\n') + 1 : 0;
  return std::string(mark) + std::to_string(number) + '\n' + before.substr(rest);
}

int loop(const Vault& vault, const std::string& file) {
  long replaced = 0, refused = 0, missing = 0;
  while (!input_has_ended()) {
    const auto before = read_file(vault.files(), vault.file(file));
    if (!before) {
      ++missing;
      continue;
    }
    const auto done = replace_file(vault, file, *before, change(*before, replaced));
    if (!done && done.error().code != ErrorCode::refused) {
      std::cerr << done.error().message << '\n';
      return 1;
    }
    ++(done ? replaced : refused);
  }
  std::cout << "{\"replaced\": " << replaced << ", \"refused\": " << refused << ", \"missing\": " << missing << "}\n";
  return 0;
}

int settle(const Vault& vault) {
  const auto recovered = recover_writes(vault);
  const auto displaced = check_displaced(vault);
  if (!recovered || !displaced) {
    std::cerr << (recovered ? displaced.error() : recovered.error()).message << '\n';
    return 1;
  }
  std::cout << "{\"conflict_files\": " << displaced->conflict_files.size() << ", \"kept\": " << displaced->next.has_value()
            << "}\n";
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string mode = count > 2 ? arguments[1] : "";
  if (mode != "settle" && (mode != "loop" || count != 4)) return EXIT_FAILURE;
  const LaterClock clock(std::chrono::hours(mode == "settle" ? 25 : 0));
  const auto vault = loci::Vault::open(arguments[2], environment_of(arguments[2]), loci::real_file_system(), clock);
  if (!vault) {
    std::cerr << vault.error().message << '\n';
    return EXIT_FAILURE;
  }
  return mode == "loop" ? loop(*vault, arguments[3]) : settle(*vault);
}
