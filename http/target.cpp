#include "http/target.h"

#include <optional>

#include "base/unicode.h"

namespace loci {
namespace {

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// In a query a plus is a blank, as forms have it; in a path it is a plus.
Result<std::string> decoded(std::string_view text, bool plus_is_blank) {
  const auto bad = [&](const char* why) { return fail(ErrorCode::usage, "the request's target " + std::string(why)); };
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const auto high = i + 1 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
    const auto low = i + 2 < text.size() ? hex_digit(text[i + 2]) : std::nullopt;
    if (!high || !low) return bad("has a % that is no escape");
    out += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  if (out.find('\0') != std::string::npos) return bad("has a NUL");
  if (!is_valid_utf8(out)) return bad("is no UTF-8");
  return out;
}

Status add_parameter(std::string_view parameter, HttpTarget& target) {
  if (parameter.empty()) return {};
  const size_t equals = parameter.find('=');
  auto key = TRY(decoded(parameter.substr(0, equals), true));
  auto value = TRY(decoded(equals == std::string_view::npos ? "" : parameter.substr(equals + 1), true));
  if (!target.query.emplace(key, std::move(value)).second)
    return fail(ErrorCode::usage, "the parameter '" + key + "' stands twice");
  return {};
}

}  // namespace

Result<HttpTarget> parse_target(std::string_view text) {
  if (!text.starts_with('/')) return fail(ErrorCode::usage, "the request's target is no path");
  if (text.find('#') != std::string_view::npos) return fail(ErrorCode::usage, "the request's target has a fragment");
  const size_t question = text.find('?');
  auto path = TRY(decoded(text.substr(0, question), false));
  HttpTarget target{std::move(path), {}};
  std::string_view rest = question == std::string_view::npos ? "" : text.substr(question + 1);
  while (!rest.empty()) {
    const size_t end = rest.find('&');
    TRY(add_parameter(rest.substr(0, end), target));
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  return target;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

}  // namespace loci
