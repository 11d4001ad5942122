// One key of a configuration file, read and taken out; set_config() is in config.h. Any thread; nobody else writes the file
// meanwhile.
#pragma once

#include <optional>
#include <string>

#include "base/file_system.h"
#include "base/result.h"

namespace loci {

// Takes the key out of that file, and the name of its section where nothing else stands there, keeping the rest of the file's bytes
// as they are; what is not in it is out already. Fails like set_config().
Status unset_config(FileSystem& files, const path& file, const std::string& key, bool is_vault_file);

// What that file says of the key, as TOML; none if it says nothing.
Result<std::optional<std::string>> config_value_in(FileSystem& files, const path& file, const std::string& key);

}  // namespace loci
