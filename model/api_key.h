// Where the key of a provider comes from. It is read into memory, goes nowhere but into the header of a request, and is
// wiped with the model that it was read for. Only a variable stays in the environment that this process was given.
#pragma once

#include <string>

#include "base/file_system.h"
#include "base/secret.h"
#include "model/open_model.h"

namespace loci {

// From key_file, else the variable key_env, else the file loci-NAME or NAME in the credentials folder; empty if the settings name
// none and the folder has none. ErrorCode::refused, without a byte of it, for a source that is named and has no key, and for a key
// that is empty or holds anything but visible ASCII; one final line end is cut. A key file that others can read is warned of.
Result<Secret> read_api_key(FileSystem& files, const ModelSettings& settings);

}  // namespace loci
