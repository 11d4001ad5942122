#include "consolidate/rebuild_mark.h"

#include "base/json.h"

namespace loci {
namespace {

constexpr const char* file_name = "rebuild.json";

path file_of(const Vault& vault) { return vault.state_folder() / file_name; }

}  // namespace

std::optional<Instant> rebuild_begun(const Vault& vault) {
  const auto bytes = read_file_if_any(vault.files(), file_of(vault));
  if (!bytes || !*bytes) return std::nullopt;
  const auto json = parse_json(**bytes);
  return parse_time(json ? json->text_at("at") : std::string()).value_or(vault.clock().now());
}

Status begin_rebuild(const Vault& vault) {
  TRY(make_folders(vault.files(), vault.state_folder()));
  const Json json = Json::Object{{"at", format_rfc3339(vault.clock().now())}};
  return write_file(vault.files(), file_of(vault), to_string(json) + '\n');
}

Status end_rebuild(const Vault& vault) {
  if (!rebuild_begun(vault)) return {};
  return vault.files().remove(file_of(vault));
}

constinit const Store rebuild_store{"that a rebuild has begun", StoreRoot::state, file_name, Permissions::owner};

}  // namespace loci
