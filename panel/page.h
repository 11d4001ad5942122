// The panel's page: plain files of panel/page/, built into the program, served with the hash of their bytes as entity tag. Nothing
// in them is secret, and nothing in them comes from a memory. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "http/message.h"
#include "panel/page_bytes.h"

namespace loci {

bool is_page_file(std::string_view path);  // "/", "/app.js"

// 200, or 304 if the caller has it already.
HttpResponse page_response(const HttpRequest& request);

// Another one whenever any of its files is: a page that was loaded before does not fit what is loaded of it later.
const std::string& page_version();

// What a browser may load for the page and do with it: its own origin, no inline script, in no frame.
inline constexpr const char* panel_security_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

}  // namespace loci
