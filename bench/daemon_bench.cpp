// What the daemon reaches: the real program over its socket, against vaults that this program makes. Each measurement has a vault
// and a daemon of its own. bench/daemon builds and starts it.
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <thread>

#include "bench/daemon_connection.h"
#include "bench/daemon_process.h"
#include "bench/figures.h"
#include "bench/scale_vault.h"

namespace loci::bench {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::chrono::microseconds poll_pause{100};
constexpr seconds found_patience{20};
// A file that is younger when it is indexed is hashed again by the next scan, as its clock tick may not be over.
constexpr milliseconds clock_tick_is_over{2'100};
constexpr std::string_view unknown_word = "zqxqxqxq";

struct Options {
  path loci, slow_sync, folder = "/var/tmp";
  size_t saves = 1'000, starts = 20, commands = 40;
  size_t idle_seconds = 130, add_seconds = 10, search_seconds = 20;
  std::vector<std::string> only;
  bool strict = false;
};

// A vault that is indexed, and where its daemon runs.
struct Scene {
  World world;
  ScaleVault vault;

  Scene(const Options& options, Scale scale) : world{options.loci, options.folder / "world", options.folder / "vault", {}} {
    for (const path& folder : {world.folder, world.vault}) {
      std::filesystem::remove_all(folder);
      std::filesystem::create_directories(folder);
    }
    std::filesystem::create_directories(world.folder / "run");
    vault = make_scale_vault(world.vault, scale);
    std::this_thread::sleep_for(clock_tick_is_over);
    world.run({"reindex"});
  }
};

void wait_until_fresh(DaemonConnection& connection) {
  const auto start = Clock::now();
  while (!is_fresh(connection.search(std::string(unknown_word), 1))) {
    if (Clock::now() - start > found_patience) give_up("the daemon's index does not get fresh");
    std::this_thread::sleep_for(poll_pause);
  }
}

std::string in_ms(double value) { return digits(value) + " ms"; }

std::string percentiles(const Latencies& latencies) {
  return "p50 " + in_ms(latencies.median()) + ", p99 " + in_ms(latencies.percentile(0.99)) + ", max " + in_ms(latencies.max());
}

// --- a save is found ---

enum class SaveBy { writing_in_place, renaming };

void save(const path& file, const std::string& text, SaveBy how) {
  const path written = how == SaveBy::renaming ? file.parent_path() / ("." + file.filename().string() + ".new") : file;
  std::ofstream(written, std::ios::binary | std::ios::trunc) << text;
  if (how == SaveBy::renaming) std::filesystem::rename(written, file);
}

// From before the save begins to the answer that has it.
Latencies save_and_find(const ScaleVault& vault, DaemonConnection& connection, size_t times, SaveBy how) {
  static size_t words_used = 0;
  std::mt19937_64 random(how == SaveBy::renaming ? 1 : 2);
  Latencies latencies;
  for (size_t i = 0; i < times; ++i) {
    const size_t note = random() % vault.notes.size();
    const std::string word = word_of_its_own(words_used++);
    const std::string text = vault.text_of_note(note) + "\nNow it says " + word + ".\n";
    const auto start = Clock::now();
    save(vault.root / vault.notes[note], text, how);
    while (!has_hits(connection.search(word, 1))) {
      if (Clock::now() - start > found_patience) give_up("a save of " + vault.notes[note] + " was not found");
      std::this_thread::sleep_for(poll_pause);
    }
    latencies.add(milliseconds_since(start));
  }
  return latencies;
}

void measure_saves(const Options& options, Table& table) {
  const Scene scene(options, {});
  const DaemonProcess daemon(scene.world);
  DaemonConnection connection(daemon.socket());
  wait_until_fresh(connection);
  for (const auto& [name, how] : {std::pair{"in place", SaveBy::writing_in_place}, {"by rename", SaveBy::renaming}}) {
    const auto latencies = save_and_find(scene.vault, connection, options.saves, how);
    table.tell("save -> found, 10,000 files, " + std::to_string(options.saves) + " saves " + name, "p50 <= 20, p99 <= 100 ms",
               percentiles(latencies), latencies.median() <= 20 && latencies.percentile(0.99) <= 100);
  }
  Latencies polls;
  for (size_t i = 0; i < options.saves; ++i) {
    const auto start = Clock::now();
    (void)connection.search(std::string(unknown_word), 1);
    polls.add(milliseconds_since(start));
  }
  table.tell("  one poll of these, with nothing to do beside", "", percentiles(polls));
}

// --- starting ---

void measure_starts(const Options& options, Table& table) {
  const Scene scene(options, {});
  Latencies ready, fresh;
  for (size_t i = 0; i < options.starts; ++i) {
    const DaemonProcess daemon(scene.world);
    ready.add(milliseconds_since(daemon.forked_at()));
    DaemonConnection connection(daemon.socket());
    wait_until_fresh(connection);
    fresh.add(milliseconds_since(daemon.forked_at()));
  }
  table.tell("start, 10,000 unchanged files -> first scan clean, " + std::to_string(options.starts) + " starts", "<= 200 ms",
             "median " + in_ms(fresh.median()) + ", max " + in_ms(fresh.max()), fresh.median() <= 200);
  table.tell("  of these until READY=1", "", "median " + in_ms(ready.median()) + ", max " + in_ms(ready.max()));
}

// --- memory ---

std::string shown(const DaemonProcess::Memory& memory) {
  return "RSS " + digits(memory.resident_mb, 1) + " MB, PSS " + digits(memory.proportional_mb, 1) + ", anonymous " +
         digits(memory.anonymous_mb, 1);
}

void measure_memory(const Options& options, Table& table) {
  for (const auto& [entries, bound] : {std::pair{size_t{10'000}, 30.0}, {size_t{100'000}, 80.0}}) {
    const Scene scene(options, {.files = 10'000, .entries_per_file = entries / 10'000});
    const DaemonProcess daemon(scene.world);
    {
      DaemonConnection connection(daemon.socket());
      wait_until_fresh(connection);
    }
    const std::string name = "memory, idle, " + std::to_string(entries) + " entries in 10,000 files, ";
    const std::string wanted = "RSS <= " + digits(bound, 0) + " MB";
    const auto first = daemon.memory();
    table.tell(name + "after the scan", wanted, shown(first), first.resident_mb <= bound);
    {
      DaemonConnection connection(daemon.socket());
      (void)save_and_find(scene.vault, connection, options.saves, SaveBy::writing_in_place);
      const auto& words = scene.vault.rare_words;
      for (size_t i = 0; i < options.saves; ++i)
        (void)connection.search(words[i % words.size()] + ' ' + scene.vault.common_words[i % scene.vault.common_words.size()]);
    }
    const auto later = daemon.memory();
    table.tell(name + "saves, searches", wanted, shown(later), later.resident_mb <= bound);
  }
}

// --- doing nothing ---

void measure_idling(const Options& options, Table& table) {
  const Scene scene(options, {});
  const DaemonProcess daemon(scene.world);
  {
    DaemonConnection connection(daemon.socket());
    wait_until_fresh(connection);
  }
  std::this_thread::sleep_for(seconds(10));
  const auto start = daemon.activity();
  auto last = start;
  size_t busy_seconds = 0;
  const auto end = Clock::now() + seconds(options.idle_seconds);
  for (auto next = Clock::now() + seconds(1); next <= end; next += seconds(1)) {
    std::this_thread::sleep_until(next);
    const auto now = daemon.activity();
    if (now.switches != last.switches) ++busy_seconds;
    last = now;
  }
  const double tens = static_cast<double>(options.idle_seconds) / 10;
  const double wakeups = static_cast<double>(busy_seconds) / tens;
  table.tell("idle, seconds in which any thread woke up, in 10 s, over " + std::to_string(options.idle_seconds) + " s", "< 1",
             digits(wakeups) + " (" + std::to_string(last.switches - start.switches) + " switches of all threads, " +
                 std::to_string(last.ticks - start.ticks) + " ticks of processor time in all)",
             wakeups < 1);
}

// --- many add ---

struct Additions {
  double a_second = 0;
  Latencies latencies;
  size_t not_searchable = 0;
};

Additions add_from_clients(const path& socket, size_t clients, seconds duration) {
  std::vector<Latencies> latencies(clients);
  std::atomic<size_t> not_searchable = 0;
  const auto start = Clock::now(), end = start + duration;
  {
    std::vector<std::jthread> threads;
    for (size_t client = 0; client < clients; ++client)
      threads.emplace_back([&, client] {
        DaemonConnection connection(socket);
        for (std::uint64_t number = 0; Clock::now() < end; ++number) {
          const std::string text = sentence((client << 32) + number, 15);
          const auto asked = Clock::now();
          if (!connection.add(text)) ++not_searchable;
          latencies[client].add(milliseconds_since(asked));
        }
      });
  }
  Additions all{0, {}, not_searchable};
  for (const Latencies& one : latencies) all.latencies.add(one);
  all.a_second = static_cast<double>(all.latencies.count()) * 1e3 / milliseconds_since(start);
  return all;
}

std::string shown(const Additions& added) {
  return digits(added.a_second, 0) + " a second, " + percentiles(added.latencies) +
         (added.not_searchable == 0 ? "" : ", not searchable at once: " + std::to_string(added.not_searchable));
}

void measure_additions(const Options& options, Table& table) {
  for (const bool slow : {true, false}) {
    if (slow && options.slow_sync.empty()) continue;
    Scene scene(options, {});
    if (slow) scene.world.preload = options.slow_sync;
    const DaemonProcess daemon(scene.world);
    {
      DaemonConnection connection(daemon.socket());
      wait_until_fresh(connection);
    }
    const std::string disk = slow ? "every sync 5 ms longer" : "the disk as it is";
    const auto one = add_from_clients(daemon.socket(), 1, seconds(options.add_seconds));
    table.tell("1 client adding, " + disk, "", shown(one));
    const auto many = add_from_clients(daemon.socket(), 64, seconds(options.add_seconds));
    constexpr double one_sync_an_append = 1e3 / 5;
    const bool met = !slow || (many.a_second >= 5 * one_sync_an_append && many.latencies.percentile(0.99) <= 250);
    table.tell("64 clients adding, " + disk, slow ? ">= 1000/s, p99 <= 250 ms" : "", shown(many), met);
    table.tell("  times as many as 1 client", slow ? ">= 5" : "", digits(many.a_second / one.a_second, 1),
               !slow || many.a_second >= 5 * one.a_second);
  }
}

// --- searching while others add ---

// `a_second` of them from a few connections, at the times at which they are due. Returns how many were made.
size_t add_at_a_pace(const path& socket, double a_second, Clock::time_point end) {
  constexpr size_t connections = 4;
  std::atomic<size_t> made = 0;
  std::vector<std::jthread> threads;
  for (size_t which = 0; which < connections; ++which)
    threads.emplace_back([&, which] {
      DaemonConnection connection(socket);
      const auto step = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(connections / a_second));
      std::uint64_t number = 0;
      for (auto due = Clock::now() + step * which / connections; due < end; due += step) {
        std::this_thread::sleep_until(due);
        (void)connection.add(sentence((which << 32) + number++ + 77, 15));
        ++made;
      }
    });
  threads.clear();
  return made;
}

// Each asks again `pause` after its answer.
Latencies search_from_clients(const path& socket, size_t clients, const std::vector<std::string>& words, milliseconds pause,
                              Clock::time_point end) {
  std::vector<Latencies> latencies(clients);
  {
    std::vector<std::jthread> threads;
    for (size_t client = 0; client < clients; ++client)
      threads.emplace_back([&, client] {
        DaemonConnection connection(socket);
        std::mt19937_64 random(client);
        while (Clock::now() < end) {
          const std::string query = words[random() % words.size()] + ' ' + words[random() % words.size()];
          const auto asked = Clock::now();
          (void)connection.search(query);
          latencies[client].add(milliseconds_since(asked));
          if (pause.count() > 0) std::this_thread::sleep_for(pause);
        }
      });
  }
  Latencies all;
  for (const Latencies& one : latencies) all.add(one);
  return all;
}

double a_second(size_t count, size_t duration) { return static_cast<double>(count) / static_cast<double>(duration); }

void measure_searches(const Options& options, Table& table) {
  struct Load {
    size_t clients;
    milliseconds pause;
    double adds_a_second;
    bool is_judged = false;
  };
  constexpr Load loads[] = {
      {1, milliseconds(0), 0}, {8, milliseconds(0), 0}, {8, milliseconds(50), 100}, {8, milliseconds(0), 100, true}};
  const Scene scene(options, {});
  const DaemonProcess daemon(scene.world);
  {
    DaemonConnection connection(daemon.socket());
    wait_until_fresh(connection);
  }
  for (const auto& [name, words] : {std::pair{"two words, 3 to 50 entries match", &scene.vault.rare_words},
                                    {"two common words, a tenth and more match", &scene.vault.common_words}})
    for (const Load& load : loads) {
      const auto duration = load.is_judged ? options.search_seconds : options.search_seconds / 4;
      const auto end = Clock::now() + seconds(duration);
      const auto before = daemon.activity();
      size_t made = 0;
      std::jthread adding([&] {
        if (load.adds_a_second > 0) made = add_at_a_pace(daemon.socket(), load.adds_a_second, end);
      });
      const auto latencies = search_from_clients(daemon.socket(), load.clients, *words, load.pause, end);
      adding.join();
      const double busy_ms =
          1e3 * static_cast<double>(daemon.activity().ticks - before.ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
      const std::string pause = load.pause.count() > 0 ? ", " + std::to_string(load.pause.count()) + " ms between searches" : "";
      table.tell((load.is_judged ? "" : "  ") + std::to_string(load.clients) + " clients, " + name + pause,
                 load.is_judged ? "p99 <= 10 ms" : "",
                 percentiles(latencies) + "; " + digits(a_second(latencies.count(), duration), 0) + " searches and " +
                     digits(a_second(made, duration), 0) + " adds a second, " +
                     in_ms(busy_ms / static_cast<double>(latencies.count())) + " of processor time a search",
                 !load.is_judged || latencies.percentile(0.99) <= 10);
    }
}

// --- commands ---

Latencies add_by_command(const World& world, size_t times) {
  Latencies latencies;
  for (size_t i = 0; i < times; ++i) {
    const auto start = Clock::now();
    world.run({"add", sentence(i, 15)});
    latencies.add(milliseconds_since(start));
  }
  return latencies;
}

void measure_commands(const Options& options, Table& table) {
  const Scene scene(options, {});
  const std::string name = "loci add, start to exit, 10,000 files, ";
  table.tell(name + "without a daemon", "", percentiles(add_by_command(scene.world, options.commands)));
  const DaemonProcess daemon(scene.world);
  DaemonConnection connection(daemon.socket());
  wait_until_fresh(connection);
  table.tell(name + "with a daemon", "", percentiles(add_by_command(scene.world, options.commands)));
}

// ---

struct Measurement {
  const char* name;
  void (*measure)(const Options&, Table&);
};

constexpr Measurement measurements[] = {
    {"saves", measure_saves},         {"starts", measure_starts},     {"memory", measure_memory},    {"idling", measure_idling},
    {"additions", measure_additions}, {"searches", measure_searches}, {"commands", measure_commands}};

std::string file_system_of(const path& folder) {
  struct statfs found{};
  if (::statfs(folder.c_str(), &found) != 0) return "?";
  switch (found.f_type) {
    case 0xEF53:
      return "ext4";
    case 0x9123683E:
      return "btrfs";
    case 0x58465342:
      return "xfs";
    case 0x01021994:
      return "tmpfs";
    case 0x794C7630:
      return "overlayfs";
    default:
      return "a file system of type " + std::to_string(found.f_type);
  }
}

// None: they make no sense.
std::optional<Options> options_from(const std::vector<std::string>& arguments) {
  Options options;
  const std::map<std::string, size_t*> numbers{{"--saves", &options.saves},
                                               {"--starts", &options.starts},
                                               {"--commands", &options.commands},
                                               {"--idle-seconds", &options.idle_seconds},
                                               {"--add-seconds", &options.add_seconds},
                                               {"--search-seconds", &options.search_seconds}};
  const std::map<std::string, path*> paths{
      {"--loci", &options.loci}, {"--slow-sync", &options.slow_sync}, {"--folder", &options.folder}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--strict") {
      options.strict = true;
      continue;
    }
    if (++i == arguments.size()) return std::nullopt;
    const std::string& value = arguments[i];
    if (const auto number = numbers.find(name); number != numbers.end()) {
      if (std::from_chars(value.data(), value.data() + value.size(), *number->second).ec != std::errc()) return std::nullopt;
    } else if (const auto named = paths.find(name); named != paths.end()) {
      *named->second = std::filesystem::absolute(value);
    } else if (name == "--only") {
      options.only.push_back(value);
    } else {
      return std::nullopt;
    }
  }
  if (options.loci.empty()) return std::nullopt;
  return options;
}

int run(Options options) {
  ::prctl(PR_SET_TIMERSLACK, 1'000UL);  // nanoseconds: a short sleep is short
  std::string folder = (options.folder / "loci-bench-XXXXXX").string();
  if (!::mkdtemp(folder.data())) give_up("cannot make a folder in " + options.folder.string());
  options.folder = folder;
  Table table(file_system_of(folder));
  for (const Measurement& one : measurements)
    if (options.only.empty() || std::ranges::find(options.only, one.name) != options.only.end()) one.measure(options, table);
  std::filesystem::remove_all(folder);
  return options.strict && !table.all_met() ? 1 : 0;
}

}  // namespace
}  // namespace loci::bench

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  const auto options = loci::bench::options_from(arguments);
  if (options) return loci::bench::run(*options);
  std::fprintf(stderr,
               "usage: daemon_bench --loci PROGRAM [--slow-sync LIBRARY] [--folder DIR] [--only NAME]... [--saves N] [--starts N]\n"
               "  [--commands N] [--idle-seconds N] [--add-seconds N] [--search-seconds N] [--strict]\n");
  return 2;
}
