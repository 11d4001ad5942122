#include "vault/layout/host.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <tuple>

#include "base/hash.h"
#include "base/process_lock.h"
#include "vault/layout/toml.h"

namespace loci {
namespace {

constexpr size_t host_file_limit = 65536;
constexpr std::chrono::seconds lock_patience{10};

// loci's own application id. The machine id is confidential: what is shown of it is HMAC-SHA-256, keyed by the machine id, over
// this, which is the construction of sd_id128_get_machine_app_specific (man 3 sd_id128_get_machine). It is not called here
// because linking libsystemd costs every start of the program 1.4 ms.
constexpr std::array<char, 16> application_id =
    std::to_array<char>({'\x5b', '\x0e', '\x31', '\x6c', '\x2d', '\x4f', '\x47', '\x0a', '\x13', '\x7a', '\x62', '\x29', '\x1c',
                         '\x75', '\x08', '\x36'});

std::optional<std::string> bytes_of_hex(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    if (digit(text[i]) < 0 || digit(text[i + 1]) < 0) return std::nullopt;
    bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  }
  return bytes;
}

// A letter and five characters: 29 bits, for the handful of machines that share a vault.
std::string shorten(const std::array<unsigned char, 32>& digest) {
  static constexpr std::string_view letters = "abcdefghjkmnpqrstvwxyz";
  static constexpr std::string_view alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  std::string host(1, letters[digest[0] % letters.size()]);
  for (size_t i = 1; i <= 5; ++i) host += alphabet[digest[i] % alphabet.size()];
  return host;
}

// For a machine without an id. The lock keeps two first starts from choosing two names.
Result<std::string> random_host(const Environment& environment, FileSystem& files) {
  const path folder = environment.state_home / "loci";
  const path file = folder / "host";
  const auto kept = [&]() -> Result<std::string> {
    auto bytes = TRY(read_file_if_any(files, file, host_file_limit));
    const std::string host = bytes.value_or("").substr(0, bytes.value_or("").find('\n'));
    return is_valid_host(host) ? host : std::string();
  };
  if (auto host = kept(); !host || !host->empty()) return host;
  TRY(make_folders(files, folder));
  const auto lock = TRY(ProcessLock::acquire(files, folder, lock_patience));
  if (auto host = kept(); !host || !host->empty()) return host;
  std::array<char, 16> seed{};
  if (::getrandom(seed.data(), seed.size(), 0) != static_cast<ssize_t>(seed.size()))
    return fail_errno("read random bytes for", file.string(), errno);
  const std::string host = shorten(sha256({seed.data(), seed.size()}));
  TRY(write_file(files, file, host + "\n"));
  return host;
}

path host_file_of(const Vault& vault) { return vault.dot_loci() / "hosts" / (vault.host() + ".toml"); }

std::optional<HostFile> read_host_file(FileSystem& files, const path& file) {
  HostFile host{.host = file.stem().string(), .name = {}, .joined = {}};
  if (file.extension() != ".toml" || !is_valid_host(host.host)) return std::nullopt;
  const auto bytes = read_file(files, file, host_file_limit);
  if (!bytes) return std::nullopt;
  const auto parsed = parse_toml(*bytes);
  if (!parsed) return std::nullopt;
  const auto text = [&](std::string_view key) {
    const TomlValue* value = parsed->find(key);
    const auto* found = value ? std::get_if<std::string>(&value->value) : nullptr;
    return found ? *found : std::string();
  };
  const auto joined = parse_time(text("joined"));
  if (!joined) return std::nullopt;
  host.joined = *joined;
  host.name = text("name");
  const TomlValue* first = parsed->find("first");
  host.claims_first = first && first->value == TomlScalar(true);
  return host;
}

bool any_host_file(const path& folder) {
  std::error_code ignored;
  for (std::filesystem::directory_iterator it(folder, ignored), end; it != end; it.increment(ignored))
    if (it->path().extension() == ".toml" && is_valid_host(it->path().stem().string())) return true;
  return false;
}

std::string host_file_text(const Vault& vault, bool is_first) {
  return "name = " + to_toml(vault.host_name()) + "\njoined = " + to_toml(format_rfc3339(vault.clock().now())) + "\n" +
         (is_first ? "first = true\n" : "");
}

}  // namespace

bool is_valid_host(std::string_view host) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return host.size() >= 4 && host.size() <= 16 && is_letter(host[0]) &&
         std::ranges::all_of(host, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

Result<std::string> host_id(const Environment& environment, FileSystem& files) {
  if (!environment.host.empty()) {
    if (is_valid_host(environment.host)) return environment.host;
    return fail(ErrorCode::usage, "LOCI_HOST is '" + environment.host + "', which cannot be a host id",
                "use 4 to 16 lower-case letters and digits, a letter first");
  }
  const auto machine = bytes_of_hex(environment.machine_id);
  if (!machine || machine->size() != 16) return random_host(environment, files);
  return shorten(hmac_sha256(*machine, {application_id.data(), application_id.size()}));
}

Status make_own_folder(FileSystem& files, const path& folder) {
  auto fd = files.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (fd) return {};
  if (fd.error().code == ErrorCode::not_found) {
    TRY(files.make_folder(folder));
    return sync_folder(files, folder.parent_path());
  }
  std::error_code ignored;
  if (std::filesystem::is_symlink(folder, ignored))
    return fail(ErrorCode::refused, folder.string() + " is a symbolic link",
                "put a folder in its place: loci writes only inside the vault");
  return std::unexpected(fd.error());
}

Status make_temporary_folder(const Vault& vault) {
  TRY(make_own_folder(vault.files(), vault.dot_loci()));
  return make_own_folder(vault.files(), vault.temporary_folder());
}

std::vector<HostFile> hosts_of(const Vault& vault) {
  std::vector<HostFile> hosts;
  std::error_code ignored;
  for (std::filesystem::directory_iterator it(vault.dot_loci() / "hosts", ignored), end; it != end; it.increment(ignored))
    if (auto host = read_host_file(vault.files(), it->path())) hosts.push_back(std::move(*host));
  std::ranges::sort(hosts, {}, [](const HostFile& host) { return std::tie(host.joined, host.host); });
  return hosts;
}

Status join_vault(const Vault& vault) {
  FileSystem& files = vault.files();
  const path folder = vault.dot_loci() / "hosts";
  for (const path& own : {vault.dot_loci(), folder}) TRY(make_own_folder(files, own));
  const auto joined = [&] { return files.open(host_file_of(vault), O_RDONLY | O_NOFOLLOW | O_NONBLOCK); };
  if (joined()) return {};
  const auto lock = TRY(ProcessLock::acquire(files, folder, lock_patience));
  if (auto fd = joined(); fd || fd.error().code != ErrorCode::not_found) return fd ? Status{} : std::unexpected(fd.error());
  return write_file(files, host_file_of(vault), host_file_text(vault, !any_host_file(folder)));
}

bool is_first_host(const Vault& vault) {
  const auto hosts = hosts_of(vault);
  const auto first = std::ranges::find(hosts, true, &HostFile::claims_first);
  return first != hosts.end() && first->host == vault.host();
}

}  // namespace loci
