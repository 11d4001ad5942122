#include "vault/layout/config.h"

#include <algorithm>

#include "vault/layout/config_schema.h"

namespace loci {
namespace {

const std::vector<std::string> everything{"**"};

// What speaks against one value of a file.
struct Complaint {
  std::string code;
  std::string message;
  std::string hint;
};

Complaint unknown_key(const TomlValue& value) {
  const std::string nearest = nearest_config_key(value.dotted_key());
  return {"config-unknown-key", "unknown key '" + value.dotted_key() + "'",
          nearest.empty() ? "'loci config' lists all keys" : "did you mean '" + nearest + "'?"};
}

class Loader {
 public:
  Loader(FileSystem& files, const path& home) : files_(files), home_(home) {}

  Status load_user_file(const path& file) {
    const auto parsed = parse(file);
    if (!parsed && parsed.error().line > 0)
      return error_at(file, parsed.error().line, parsed.error().message, "mend the line by hand");
    if (!parsed) return std::unexpected(parsed.error());
    for (const TomlValue& value : parsed->values)
      if (const auto complaint = take(value, file, false)) return error_at(file, value.line, complaint->message, complaint->hint);
    return {};
  }

  void load_vault_file(const path& file) {
    const std::string name = (file.parent_path().filename() / file.filename()).string();
    const auto parsed = parse(file);
    if (!parsed) {
      const Error& error = parsed.error();
      warn({name, error.line, "config-syntax",
            error.message + "; none of its settings count until it is mended, and nothing is sent to a model"});
      loaded_.config.never_send.insert(loaded_.config.never_send.begin(), everything.begin(), everything.end());
      return;
    }
    for (const TomlValue& value : parsed->values)
      if (const auto complaint = take(value, file, true))
        warn({name, value.line, complaint->code,
              complaint->message + ", so it does not count" + (complaint->hint.empty() ? "" : "; " + complaint->hint)});
  }

  LoadedConfig finish() {
    const auto keys = config_keys();
    for (auto key = keys.begin(); key != keys.end(); ++key) {
      if (key->name == "agents.vaults.*") {
        for (const auto& [folder, ignored] : loaded_.config.agents.vaults) add_setting("agents.vaults." + folder, {&*key, folder});
        continue;
      }
      if (!is_of_model(*key)) {
        add_setting(std::string(key->name), {&*key, {}});
        continue;
      }
      const auto end = std::find_if_not(key, keys.end(), is_of_model);
      for (const auto& [model, ignored] : loaded_.config.models)
        for (auto it = key; it != end; ++it)
          add_setting("models." + model + std::string(it->name.substr(it->name.rfind('.'))), {&*it, model});
      key = end - 1;
    }
    return std::move(loaded_);
  }

 private:
  static bool is_of_model(const ConfigKey& key) { return key.name.starts_with("models.*"); }

  static std::unexpected<Error> error_at(const path& file, int line, const std::string& message, const std::string& hint) {
    auto failure = fail(ErrorCode::usage, file.string() + (line ? ":" + std::to_string(line) : "") + ": " + message, hint);
    failure.error().file = file.string();
    failure.error().line = line;
    return failure;
  }

  // What is no TOML fails with the line, and leaves it to the caller to name the file.
  Result<TomlFile> parse(const path& file) {
    if (file.empty()) return TomlFile{};
    const auto bytes = TRY(read_file_if_any(files_, file, config_limit));
    if (!bytes) return TomlFile{};
    return parse_toml(*bytes);
  }

  // A table where a list of what is kept back belongs, as [privacy.never_send].
  static std::optional<KeyMatch> guard_above(const TomlValue& value) {
    const auto match = value.key.size() > 2 ? find_config_key({value.key[0], value.key[1]}) : std::nullopt;
    return match && match->key->is_guard ? match : std::nullopt;
  }

  Complaint take_table(const KeyMatch& guard) {
    assign(guard, everything, home_, loaded_.config);
    return {"config-bad-value", "'" + std::string(guard.key->name) + "' must be a list of strings, [\"…\"]",
            "until it is mended, it is taken to name everything"};
  }

  std::optional<Complaint> take(const TomlValue& value, const path& file, bool is_vault_file) {
    const auto match = find_config_key(value.key);
    if (!match) {
      const auto guard = guard_above(value);
      return guard ? take_table(*guard) : unknown_key(value);
    }
    if (is_vault_file && match->key->user_file_only)
      return Complaint{"config-user-only", "'" + value.dotted_key() + "' counts in the user's file only", ""};
    if (const auto reason = reason_against(*match->key, value.value); !reason.empty()) {
      if (match->key->is_guard) assign(*match, everything, home_, loaded_.config);
      return Complaint{"config-bad-value", "'" + value.dotted_key() + "' " + reason,
                       match->key->is_guard ? "until it is mended, it is taken to name everything" : ""};
    }
    assign(*match, value.value, home_, loaded_.config);
    std::string& origin = origins_[value.dotted_key()];
    origin = origin.empty() || !match->key->is_list() ? file.string() : origin + ", " + file.string();
    return std::nullopt;
  }

  void warn(Problem problem) { loaded_.warnings.push_back(std::move(problem)); }

  void add_setting(std::string name, const KeyMatch& match) {
    const auto origin = origins_.find(name);
    loaded_.settings.push_back(
        {name, to_toml(value_of(match, loaded_.config)), origin == origins_.end() ? "default" : origin->second});
  }

  FileSystem& files_;
  const path& home_;
  LoadedConfig loaded_;
  std::map<std::string, std::string> origins_;  // by dotted key
};

}  // namespace

Result<LoadedConfig> load_config(FileSystem& files, const path& user_file, const path& vault_file, const path& home) {
  Loader loader(files, home);
  TRY(loader.load_user_file(user_file));
  loader.load_vault_file(vault_file);
  return loader.finish();
}

}  // namespace loci
