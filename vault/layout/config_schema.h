// The table of all settings: one row a key. Reading, checking, listing and editing a configuration all go by it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "vault/layout/config.h"
#include "vault/layout/toml.h"

namespace loci {

// Where a key's value is kept. `model` is the part of the key that the user chooses, the NAME of a [models.NAME]; other keys ignore
// it.
template <typename T>
using FieldOf = T* (*)(Config& config, const std::string& model);
using ConfigField = std::variant<FieldOf<bool>, FieldOf<std::int64_t>, FieldOf<double>, FieldOf<std::string>,
                                 FieldOf<std::vector<std::string>>, FieldOf<std::vector<double>>>;

inline constexpr size_t config_limit = size_t{64} << 10;  // bytes of one file

struct ConfigKey {
  std::string_view
      name;  // "recall.limit"; "models.*.model" stands for the key in every [models.NAME], "agents.vaults.*" for any folder
  ConfigField field;
  double least = 0, most = 0;                      // of a number, and of each of a price
  std::span<const std::string_view> choices = {};  // of a string; empty: any. A path may be one of them, too
  bool user_file_only = false;
  bool is_path = false;   // empty, absolute, or below ~, which is expanded
  bool is_host = false;   // empty, or the id of a host
  bool is_guard = false;  // rules that keep something away: what cannot be one in the vault's file counts as a rule for everything

  bool is_price() const { return std::holds_alternative<FieldOf<std::vector<double>>>(field); }  // two numbers, or none
  bool is_list() const { return std::holds_alternative<FieldOf<std::vector<std::string>>>(field); }
};

std::span<const ConfigKey> config_keys();  // in the order of the manual

struct KeyMatch {
  const ConfigKey* key = nullptr;
  std::string model;  // what stands for the *
};
// `key` is the key in a file; none if there is no such setting.
std::optional<KeyMatch> find_config_key(const std::vector<std::string>& key);

// The known key that looks most like this one; empty if none comes near.
std::string nearest_config_key(const std::string& dotted_key);

// What is wrong with a value, for a person ("must be a whole number from 1 to 1000"); empty if nothing is.
std::string reason_against(const ConfigKey& key, const TomlScalar& value);

// Sets a value that reason_against has nothing against. A list is added in front of what is there, so that the last word of
// rules in which the last one decides is the file's that was read first.
void assign(const KeyMatch& match, const TomlScalar& value, const path& home, Config& config);

// `config` stays as it is, but for a model that it did not have.
TomlScalar value_of(const KeyMatch& match, Config& config);

}  // namespace loci
