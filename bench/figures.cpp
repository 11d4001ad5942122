#include "bench/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace loci::bench {
namespace {

std::string load() {
  double averages[1] = {0};
  return ::getloadavg(averages, 1) == 1 ? digits(averages[0], 1) : "?";
}

}  // namespace

double milliseconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

double Latencies::percentile(double share) const {
  if (all_.empty()) return 0;
  std::vector<double> sorted = all_;
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(std::max<size_t>(rank, 1) - 1);
  std::ranges::nth_element(sorted, place);
  return *place;
}

std::string digits(double value, int behind_point) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", behind_point, value);
  return text;
}

Table::Table(const std::string& file_system) {
  std::printf("%u processors, load %s, vaults on %s\n\n", std::thread::hardware_concurrency(), load().c_str(), file_system.c_str());
  std::printf("%-66s | %-22s | measured\n", "figure", "wanted");
  std::fflush(stdout);
}

void Table::tell(const std::string& figure, const std::string& wanted, const std::string& measured, bool met) {
  all_met_ = all_met_ && met;
  std::printf("%-66s | %-22s | %s%s (load %s)\n", figure.c_str(), wanted.c_str(), measured.c_str(), met ? "" : "  MISSED",
              load().c_str());
  std::fflush(stdout);
}

void give_up(const std::string& why) {
  std::fprintf(stderr, "daemon_bench: %s\n", why.c_str());
  std::exit(1);
}

}  // namespace loci::bench
