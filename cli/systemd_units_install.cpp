#include <algorithm>
#include <array>

#include "cli/systemd_units.h"

namespace loci::cli {
namespace {

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ':' || c == '_'; }

std::string escaped_byte(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

// In an assignment of a unit file: quoted, and with nothing that systemd would replace.
std::string quoted(const std::string& word) {
  std::string out = "\"";
  for (const char c : word) {
    if (c == '%') out += '%';
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string without_specifiers(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '%') out += '%';
    out += c;
  }
  return out;
}

void replace_all(std::string& text, std::string_view place, const std::string& value) {
  for (size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + value.size()))
    text.replace(at, place.size(), value);
}

bool has_control_character(const path& file) {
  return std::ranges::any_of(file.native(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

std::string credentials_text(const UnitOptions& options) {
  std::string text = "# Keys reach the daemon through files that only it can read, never through its environment.\n[Service]\n";
  for (const auto& [name, file] : options.credentials)
    text += "LoadCredential=" + name + ":" + without_specifiers(file.string()) + "\n";
  return text;
}

std::string folders_text(const UnitOptions& options) {
  std::string text = "# Where this vault's state and the user's configuration are.\n[Service]\n";
  for (const auto& [name, folder] : options.folders) text += "Environment=" + quoted(name + "=" + folder.string()) + "\n";
  return text;
}

// The option that a line of a unit file sets; empty if it sets none.
std::string_view option_in(std::string_view line) {
  const size_t equals = line.find('=');
  return line.starts_with('#') || line.starts_with('[') || equals == std::string_view::npos ? std::string_view()
                                                                                            : line.substr(0, equals);
}

std::vector<std::string_view> lines_of(std::string_view bytes) {
  std::vector<std::string_view> lines;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    lines.push_back(bytes.substr(0, end));
    bytes.remove_prefix(end);
  }
  return lines;
}

}  // namespace

std::vector<std::vector<std::string>> hardening_to_give_up() {
  // Where a user's manager cannot mount over /proc (in a container, say), these two fail with 226/NAMESPACE; then all that changes
  // what the daemon sees of the file system.
  std::vector<std::vector<std::string>> steps = {{"ProtectKernelTunables", "ProtectKernelLogs"}};
  steps.push_back(steps.back());
  steps.back().insert(steps.back().end(), {"ProtectSystem", "ProtectKernelModules", "ProtectControlGroups", "ProtectClock",
                                           "ProtectHostname", "PrivateDevices", "PrivateUsers"});
  steps.emplace_back();
  for (const TemplateFile& file : systemd_units())
    if (file.name == hardening_unit)
      for (const std::string_view line : lines_of(file.bytes))
        if (!option_in(line).empty()) steps.back().emplace_back(option_in(line));
  return steps;
}

std::string without_options(std::string_view bytes, const std::vector<std::string>& options) {
  std::string kept;
  for (const std::string_view line : lines_of(bytes))
    if (std::ranges::find(options, option_in(line)) == options.end()) kept += line;
  return kept;
}

std::string unit_instance(const path& vault) {
  std::string text = vault.lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  if (text == "/") return "-";
  std::string out;
  for (size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '/')
      out += '-';
    else if (is_plain(c) || (c == '.' && i > 1))
      out += c;
    else
      out += escaped_byte(c);
  }
  return out;
}

Result<std::vector<UnitFile>> units_for(const UnitOptions& options) {
  for (const path& file : {options.program, options.vault, options.socket})
    if (has_control_character(file))
      return fail(ErrorCode::refused, "no systemd unit can name a path with a control character in it: " + file.filename().string(),
                  "rename the folder");
  const std::string instance = unit_instance(options.vault);
  std::vector<UnitFile> units;
  for (const TemplateFile& file : systemd_units()) {
    std::string name(file.name), bytes(file.bytes);
    if (name == "loci@.socket") {
      if (!options.with_socket) continue;
      name = "loci@" + instance + ".socket";
    }
    replace_all(bytes, "@LOCI@", quoted(options.program.string()));
    replace_all(bytes, "@SOCKET@", without_specifiers(options.socket.string()));
    units.push_back({std::move(name), std::move(bytes)});
  }
  if (!options.folders.empty()) units.push_back({"loci@" + instance + ".service.d/folders.conf", folders_text(options)});
  if (!options.credentials.empty())
    units.push_back({"loci@" + instance + ".service.d/credentials.conf", credentials_text(options)});
  return units;
}

}  // namespace loci::cli
