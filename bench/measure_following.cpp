#include <fstream>
#include <random>
#include <thread>

#include "bench/measurements.h"

namespace loci::bench {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

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

}  // namespace

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
    (void)connection.search(unknown_word, 1);
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

namespace {

// --- memory ---

std::string shown(const DaemonProcess::Memory& memory) {
  return "RSS " + digits(memory.resident_mb, 1) + " MB, PSS " + digits(memory.proportional_mb, 1) + ", anonymous " +
         digits(memory.anonymous_mb, 1);
}

}  // namespace

void measure_memory(const Options& options, Table& table) {
  for (const auto& [entries, bound] : {std::pair{size_t{10'000}, 30.0}, {size_t{100'000}, 80.0}}) {
    const Scene scene(options, {.files = 10'000, .entries_per_file = entries / 10'000});
    const DaemonProcess daemon(scene.world);
    wait_until_fresh(daemon);
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
    (void)search_from_clients(daemon.socket(), 8, scene.vault.common_words, milliseconds(0), Clock::now() + seconds(2));
    const auto busiest = daemon.memory();
    table.tell(name + "8 searched at once", wanted, shown(busiest), busiest.resident_mb <= bound);
  }
}

// --- doing nothing ---

void measure_idling(const Options& options, Table& table) {
  const Scene scene(options, {});
  const DaemonProcess daemon(scene.world);
  wait_until_fresh(daemon);
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

}  // namespace loci::bench
