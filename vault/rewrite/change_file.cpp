#include "vault/rewrite/change_file.h"

#include "vault/rewrite/replace.h"

namespace loci {
namespace {

constexpr int most_tries = 5;

using Bytes = std::optional<std::string>;

Result<Bytes> read(const Vault& vault, const std::string& file, IfMissing if_missing) {
  if (if_missing == IfMissing::create) return read_file_if_any(vault.files(), vault.file(file));
  return read_file(vault.files(), vault.file(file));
}

Status put(const Vault& vault, const std::string& file, const Bytes& before, const std::string& after) {
  return before ? replace_file(vault, file, *before, after) : create_file(vault, file, after);
}

}  // namespace

Result<bool> change_file(const Vault& vault, const std::string& file, const ChangeBytes& change, IfMissing if_missing) {
  auto before = TRY(read(vault, file, if_missing));
  for (int left = most_tries;;) {
    const auto after = TRY(change(before.value_or(std::string())));
    if (after == before.value_or(std::string())) return false;
    const auto written = put(vault, file, before, after);
    if (written) return true;
    if (--left == 0 || written.error().code != ErrorCode::refused) return std::unexpected(written.error());
    auto now = read(vault, file, if_missing);
    if (!now || *now == before) return std::unexpected(written.error());  // refused for another reason than a save
    before = std::move(*now);
  }
}

}  // namespace loci
