#include "consolidate/kept_keys.h"

#include <algorithm>
#include <set>

#include "base/json.h"
#include "vault/purge/purge_json.h"

namespace loci {
namespace {

constexpr const char* file_name = "topic-keys.json";

std::optional<std::string> purge_keys(std::string_view, std::string_view bytes, const PurgedText& text) {
  return purge_json_file(bytes, text);
}

}  // namespace

KeptKeys KeptKeys::read(const Vault& vault) {
  KeptKeys kept;
  const auto bytes = read_file_if_any(vault.files(), vault.state_folder() / file_name);
  const auto json = bytes && *bytes ? parse_json(**bytes) : std::unexpected(Error{});
  const Json* all = json ? json->find("keys") : nullptr;
  if (!all || !all->as_object()) return kept;
  for (const auto& [fact, value] : *all->as_object()) {
    Keys& keys = kept.by_fact_[fact];
    keys.hash = value.text_at("hash");
    const Json* about = value.find("about");
    if (!about || !about->as_array()) continue;
    for (const Json& key : *about->as_array())
      if (key.as_string()) keys.about.push_back(*key.as_string());
  }
  return kept;
}

bool KeptKeys::has(const Fact& fact) const {
  const auto known = by_fact_.find(fact.id);
  return known != by_fact_.end() && known->second.hash == fact.hash;
}

void KeptKeys::give(std::vector<Fact>& facts) const {
  for (Fact& fact : facts)
    if (fact.about.empty() && has(fact)) fact.about = by_fact_.at(fact.id).about;
}

void KeptKeys::add(const Fact& fact, std::vector<std::string> about) { by_fact_[fact.id] = {fact.hash, std::move(about)}; }

Status KeptKeys::write(const Vault& vault, const std::vector<Fact>& pending) {
  std::set<std::string_view> ids;
  for (const Fact& fact : pending) ids.insert(fact.id);
  std::erase_if(by_fact_, [&](const auto& one) { return !ids.contains(one.first); });
  Json all = Json::object();
  for (const auto& [fact, keys] : by_fact_) {
    Json one = Json::object();
    one.add_unchecked("hash", keys.hash);
    one.add_unchecked("about", keys.about);
    all.add_unchecked(fact, std::move(one));
  }
  Json json = Json::object();
  json.add_unchecked("keys", std::move(all));
  TRY(make_folders(vault.files(), vault.state_folder()));
  return write_file(vault.files(), vault.state_folder() / file_name, to_string(json) + '\n');
}

constinit const Store topic_key_store{"topic keys of pending facts", StoreRoot::state, file_name, Permissions::owner, purge_keys};

}  // namespace loci
