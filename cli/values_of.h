// What was typed, as the values of an operation.
#pragma once

#include "cli/arguments.h"
#include "operations/values.h"

namespace loci::cli {

// Of the options that `parameters` declares; others are left alone.
Result<Values> values_of(const Arguments& arguments, std::span<const Parameter> parameters);

}  // namespace loci::cli
