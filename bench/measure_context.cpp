#include <fstream>

#include "bench/measurements.h"

namespace loci::bench {
namespace {

// What somebody might write: eight words as they stand in an entry, most of them in a tenth of all entries and more, or a question
// that has two words of few.
std::string ordinary_message(const ScaleVault& vault, size_t number) {
  const std::string text = vault.text_of_note(number * 37 % vault.notes.size());
  size_t begin = text.find("\n\n") + 2, end = begin;
  for (int words = 0; words < 8; ++words) end = text.find(' ', end + 1);
  return text.substr(begin, end - begin);
}

std::string telling_message(const ScaleVault& vault, size_t number) {
  const auto& words = vault.rare_words;
  return "What did we decide about " + words[number * 7 % words.size()] + " and " + words[number * 13 % words.size()];
}

struct Messages {
  const char* name;
  std::string (*make)(const ScaleVault&, size_t);
};
constexpr Messages all_messages[] = {{"two words of few", telling_message}, {"eight ordinary words", ordinary_message}};

std::string p95(const Latencies& latencies) { return "p95 " + in_ms(latencies.percentile(0.95)) + ", " + percentiles(latencies); }

// What a hook leaves running (a spool that is drained) is over when the next command begins only by chance, as with an agent: hooks
// come last, so that nothing else is measured beside that.
class Asker {
 public:
  Asker(const Options& options, const Scene& scene, Table& table) : options_(options), scene_(scene), table_(table) {}

  void by_command(const Messages& messages, const std::string& with, double bound) {
    tell("loci context, " + with, messages, bound, [&](size_t number) {
      scene_.world.run({"context", "--query", messages.make(scene_.vault, number)});
      return true;
    });
  }

  void by_hook(const Messages& messages, const std::string& with, double bound) {
    const path input = scene_.world.folder / "hook.json", log = scene_.world.folder / "log";
    tell("loci hook user-prompt-submit, " + with, messages, bound, [&](size_t number) {
      const std::string id = std::to_string(++hooks_);
      std::ofstream(input) << R"({"hook_event_name":"UserPromptSubmit","session_id":"s)" + id + R"(","prompt_id":"p)" + id +
                                  R"(","prompt":")" + messages.make(scene_.vault, number) + "\"}";
      const auto before = std::filesystem::file_size(log);
      const auto start = Clock::now();
      scene_.world.run({"hook", "user-prompt-submit"}, input);
      took_ = milliseconds_since(start);
      return std::filesystem::file_size(log) > before;
    });
  }

  void by_connection(const Messages& messages, const path& socket, double bound) {
    DaemonConnection connection(socket);
    tell("POST /memory/context", messages, bound, [&](size_t number) {
      const std::string body = "{\"query\":\"" + messages.make(scene_.vault, number) + "\"}";
      const auto answer = connection.ask("POST", "/memory/context", body);
      if (answer.status != 200) give_up("a context was answered with " + std::to_string(answer.status) + ": " + answer.body);
      return true;
    });
  }

 private:
  // `ask` returns whether there was an answer, and may set took_ to the part that counts.
  template <typename Ask>
  void tell(const std::string& what, const Messages& messages, double bound, Ask ask) {
    Latencies latencies;
    size_t silent = 0;
    for (size_t number = 0; number < options_.contexts; ++number) {
      took_ = 0;
      const auto start = Clock::now();
      if (!ask(number)) ++silent;
      latencies.add(took_ > 0 ? took_ : milliseconds_since(start));
    }
    table_.tell(what + ", " + messages.name, "p95 <= " + digits(bound, 0) + " ms",
                p95(latencies) + (silent == 0 ? "" : ", said nothing: " + std::to_string(silent)),
                latencies.percentile(0.95) <= bound);
  }

  const Options& options_;
  const Scene& scene_;
  Table& table_;
  double took_ = 0;
  size_t hooks_ = 0;
};

}  // namespace

void measure_contexts(const Options& options, Table& table) {
  const Scene scene(options, {.files = 10'000, .entries_per_file = 10});
  Asker asker(options, scene, table);
  for (const Messages& messages : all_messages) asker.by_command(messages, "no daemon", 40);
  for (const Messages& messages : all_messages) asker.by_hook(messages, "no daemon", 120);
  const DaemonProcess daemon(scene.world);
  wait_until_fresh(daemon);
  for (const Messages& messages : all_messages) asker.by_connection(messages, daemon.socket(), 15);
  for (const Messages& messages : all_messages) asker.by_hook(messages, "with a daemon", 60);
}

}  // namespace loci::bench
