#include "daemon/metrics_text.h"

#include <charconv>
#include <cmath>

namespace loci {
namespace {

void append_escaped(std::string& out, std::string_view text, bool quotes) {
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '"' && quotes) {
      out += "\\\"";
    } else {
      out += c;
    }
  }
}

}  // namespace

void MetricsText::family(std::string_view name, std::string_view type, std::string_view help) {
  family_ = name;
  text_ += "# HELP " + family_ + ' ';
  append_escaped(text_, help, false);
  text_ += "\n# TYPE " + family_ + ' ' + std::string(type) + '\n';
}

void MetricsText::line(Labels labels, std::string_view value, std::string_view suffix) {
  text_ += family_;
  text_ += suffix;
  char before = '{';
  for (const auto& [name, label] : labels) {
    text_ += before;
    text_ += name;
    text_ += "=\"";
    append_escaped(text_, label, true);
    text_ += '"';
    before = ',';
  }
  if (before == ',') text_ += '}';
  text_ += ' ';
  text_ += value;
  text_ += '\n';
}

void MetricsText::sample(Labels labels, double value, std::string_view suffix) { line(labels, number(value), suffix); }
void MetricsText::sample(Labels labels, std::uint64_t value, std::string_view suffix) {
  line(labels, std::to_string(value), suffix);
}

void MetricsText::counter(std::string_view name, std::string_view help, std::uint64_t value) {
  family(name, "counter", help);
  sample({}, value);
}

void MetricsText::gauge(std::string_view name, std::string_view help, std::uint64_t value) {
  family(name, "gauge", help);
  sample({}, value);
}

std::string MetricsText::number(double value) {
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  if (std::isnan(value)) return "NaN";
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  return error == std::errc() ? std::string(digits, end) : "NaN";
}

}  // namespace loci
