#include "model/api_key.h"

#include <algorithm>

#include "base/log.h"

namespace loci {
namespace {

constexpr size_t longest_key = 16 * 1'024;

Result<Secret> checked(std::string&& bytes, const std::string& source) {
  if (bytes.ends_with('\n')) bytes.pop_back();
  if (bytes.ends_with('\r')) bytes.pop_back();
  Secret key(std::move(bytes));
  if (key.empty()) return fail(ErrorCode::refused, source + " holds no key");
  // Anything else could end the header, or the request.
  if (!std::ranges::all_of(key.text(), [](char c) { return c > ' ' && c < '\x7F'; }))
    return fail(ErrorCode::refused, source + " holds a key with characters that no key has");
  return key;
}

// Nothing if there is no such file.
Result<std::optional<Secret>> read_key_file(FileSystem& files, const path& file) {
  auto fd = files.open(file, O_RDONLY | O_NONBLOCK);  // a pipe would not let go
  if (!fd && fd.error().code == ErrorCode::not_found) return std::nullopt;
  if (!fd) return fail(ErrorCode::refused, fd.error().message, fd.error().hint);
  const auto info = files.status(*fd, file);
  if (!info) return fail(ErrorCode::refused, info.error().message, info.error().hint);
  if (!S_ISREG(info->st_mode)) return fail(ErrorCode::refused, file.string() + " is no file");
  if (info->st_mode & (S_IRWXG | S_IRWXO)) log_warning(file.string() + " holds a key, and others can read it: chmod 600");
  auto bytes = files.read_all(*fd, file, longest_key);
  if (!bytes) return fail(ErrorCode::refused, bytes.error().message, bytes.error().hint);
  return checked(std::move(*bytes), file.string());
}

Result<Secret> read_credential(FileSystem& files, const ModelSettings& settings) {
  for (const std::string& name : {"loci-" + settings.name, settings.name}) {
    if (settings.credentials.empty() || name.contains('/')) continue;
    auto bytes = read_file_if_any(files, settings.credentials / name, longest_key);
    if (!bytes) return fail(ErrorCode::refused, bytes.error().message, bytes.error().hint);
    if (*bytes) return checked(std::move(**bytes), "the credential " + name);
  }
  return Secret();
}

}  // namespace

Result<Secret> read_api_key(FileSystem& files, const ModelSettings& settings) {
  if (!settings.key_file.empty()) {
    auto key = TRY(read_key_file(files, settings.key_file));
    if (key) return std::move(*key);
  }
  if (!settings.key_env.empty() && settings.variable)
    if (auto key = settings.variable(settings.key_env)) return checked(std::move(*key), "the variable " + settings.key_env);
  auto key = read_credential(files, settings);
  if (!key || !key->empty()) return key;
  if (!settings.key_file.empty()) return fail(ErrorCode::refused, "there is no key file " + settings.key_file.string());
  if (!settings.key_env.empty()) return fail(ErrorCode::refused, "the variable " + settings.key_env + " is not set");
  return key;
}

}  // namespace loci
