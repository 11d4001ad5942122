// Settings: built-in defaults, then the user's file, then the vault's file, then the command line. TOML through toml++.
// [models], [http], [agents] and default_vault count in the user's file only: a vault that was pulled from somewhere
// must not name an address or a key. `never_send`, `ignore` and `untrusted` of both files add up.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"
#include "vault/layout/problem.h"

namespace loci {

inline constexpr std::string_view vault_config_name = ".loci/config.toml";  // relative to the vault's root

struct ModelConfig {
  std::string provider, base_url, model, key_file, key_env;
  std::int64_t timeout_seconds = 600;
  std::int64_t max_tokens_a_day = 100000;
  std::vector<double> price_per_million;  // of tokens, in and out; empty: not known
};

struct Config {
  std::string default_vault;

  std::int64_t max_file_bytes = 8388608;
  std::vector<std::string> ignore, untrusted;
  std::string primary;

  std::vector<std::string> never_send;

  struct {
    std::int64_t limit = 8;
    std::int64_t retrieval_log_days = 30;
    double recency_half_life_days = 90, recency_floor = 0.7;
    double similarity_weight = 0.6, confidence_weight = 0.4;
    std::int64_t max_injection_tokens = 2000;
    std::string encoding = "cl100k_base";
  } recall;

  struct {
    std::string turns = "full", extract = "auto";
  } capture;

  struct {
    bool enabled = true;
    std::string hosts = "primary";
    double min_hours = 24.0;
    std::int64_t min_facts = 20, max_days = 14, interval_seconds = 1800, neighbor_k = 8, cluster_max = 25, memory_max_lines = 200,
                 undo_keep_days = 30;
    std::string model = "builtin";
    bool verify = true;
  } consolidation;

  std::map<std::string, ModelConfig> models;

  struct {
    std::string listen, token_file;
    bool insecure = false;
  } http;

  struct {
    std::map<std::string, std::string> vaults;  // a folder, and the vault for agents that work below it; "off": none
  } agents;

  struct {
    std::string mode = "auto";
    std::int64_t rescan_minutes = 15, poll_seconds = 30;
  } watch;

  struct {
    std::int64_t minutes = 0;  // between two syncs of the daemon; 0: none
  } sync;
};

// One key with its effective value and where that came from: "default", a file's path, or "command line".
struct Setting {
  std::string key;     // "recall.limit"
  std::string value;   // as TOML
  std::string origin;  // of a list that adds up: both files, with a comma
};

struct LoadedConfig {
  Config config;
  std::vector<Setting> settings;  // every key, in the order of the manual
  std::vector<Problem> warnings;  // what is wrong in the vault's file, which does not stop anything
};

// A missing file counts as empty. In the user's file an unknown key, a wrong type or an impossible value is an error that
// names file, line and, for a key, the nearest known one; in the vault's file all of these and forbidden keys are warnings, and
// the key counts as absent. An empty path is no file. `home` is what ~ stands for in a value that is a path.
// Of lists that add up, the vault's rules stand first: where the last rule decides, it is the user's.
Result<LoadedConfig> load_config(FileSystem& files, const path& user_file, const path& vault_file, const path& home);

// Sets one key in a file, keeping the rest of the file's bytes as they are; makes the file (0600) if there is none.
// `value` is what a person types: 12, true, some text, ["a", "b"]. ErrorCode::usage if the key is unknown, does not count in
// that file or cannot have that value; ErrorCode::refused if the file is written in a way that cannot be edited by rule.
Status set_config(FileSystem& files, const path& file, const std::string& key, const std::string& value, bool is_vault_file);

}  // namespace loci
