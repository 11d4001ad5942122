// What a measurement found: latencies with their percentiles, and the table that sets each figure beside what is wanted.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace loci::bench {

using Clock = std::chrono::steady_clock;

double milliseconds_between(Clock::time_point start, Clock::time_point end);
inline double milliseconds_since(Clock::time_point start) { return milliseconds_between(start, Clock::now()); }

class Latencies {
 public:
  void add(double milliseconds) { all_.push_back(milliseconds); }
  void add(const Latencies& other) { all_.insert(all_.end(), other.all_.begin(), other.all_.end()); }
  size_t count() const { return all_.size(); }
  // The nearest rank; 0 of none.
  double percentile(double share) const;
  double median() const { return percentile(0.5); }
  double max() const { return percentile(1); }

 private:
  std::vector<double> all_;
};

// "12.3" with that many digits behind the point.
std::string digits(double value, int behind_point = 2);

// Prints a row at a time, so that a long run shows how far it is.
class Table {
 public:
  // The machine and how busy it is stand above the table: figures of a busy machine are worth little.
  explicit Table(const std::string& file_system);
  // One figure; `wanted` is empty for one that only explains another.
  void tell(const std::string& figure, const std::string& wanted, const std::string& measured, bool met = true);
  bool all_met() const { return all_met_; }

 private:
  bool all_met_ = true;
};

// Ends the program: a measurement that went wrong has no figure.
[[noreturn]] void give_up(const std::string& why);

}  // namespace loci::bench
