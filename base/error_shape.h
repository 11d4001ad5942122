// An error as JSON: {"v":1,"error":{"code","message","hint","file"?,"line"?}}, on the command line and over HTTP alike. Pure.
#pragma once

#include "base/json.h"
#include "base/result.h"

namespace loci {

Json error_to_json(const Error& error);

}  // namespace loci
