// The text exposition format of Prometheus, version 0.0.4
// (https://prometheus.io/docs/instrumenting/exposition_formats/). Pure.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace loci {

class MetricsText {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // Begins a family; its samples follow. `type` is "counter", "gauge" or "histogram".
  void family(std::string_view name, std::string_view type, std::string_view help);
  // One of the family that was begun last; `suffix` is "_bucket", "_sum" or "_count" in a histogram.
  void sample(Labels labels, double value, std::string_view suffix = {});
  void sample(Labels labels, std::uint64_t value, std::string_view suffix = {});

  // A family of one sample without labels.
  void counter(std::string_view name, std::string_view help, std::uint64_t value);
  void gauge(std::string_view name, std::string_view help, std::uint64_t value);

  std::string take() { return std::move(text_); }

  // A number as the format has it: "0.005", "1", "+Inf".
  static std::string number(double value);

 private:
  void line(Labels labels, std::string_view value, std::string_view suffix);

  std::string text_;
  std::string family_;
};

}  // namespace loci
