// From settings to a model that can be asked. The key is read once, here, and is in no error, no log and no other host's request.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

#include "base/file_system.h"
#include "model/language_model.h"
#include "model/retry.h"

namespace loci {

struct ModelSettings {
  std::string name;      // as the configuration calls it
  std::string provider;  // "openai", "anthropic", "ollama"
  std::string base_url;  // HTTPS, or HTTP to this machine; empty: the provider's own
  std::string model;
  std::chrono::seconds timeout{600};  // of one try, in all

  // Where the key may come from, in this order; none of them: no key is sent (as to a server on this machine).
  path key_file;
  std::string key_env;
  path credentials;  // systemd's folder: the file loci-NAME or NAME in it; may be empty

  // Of the environment: key_env, and https_proxy and no_proxy, which count for servers on other machines.
  std::function<std::optional<std::string>(const std::string& name)> variable;
};

// The first of these variables that is set and not empty, as curl reads those of a proxy. Of no use for a server on this machine,
// which is asked directly.
std::string variable_of(const ModelSettings& settings, std::initializer_list<const char*> names);

// Does its server take a connection within `patience`? No key and no text is sent. ErrorCode::remote says why it can't be reached.
Status reach_model(const ModelSettings& settings, std::chrono::milliseconds patience);

// ErrorCode::usage says what in the settings is wrong; ErrorCode::refused if the key cannot be read, or would go out unencrypted.
Result<std::unique_ptr<LanguageModel>> open_model(FileSystem& files, const ModelSettings& settings, const RetryPolicy& retry = {});

}  // namespace loci
