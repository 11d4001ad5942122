#include "panel/page.h"

#include <algorithm>
#include <map>

#include "base/hash.h"

namespace loci {
namespace {

struct PageFile {
  std::string_view bytes;
  const char* content_type;
  std::string etag;
};

const char* content_type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/javascript; charset=utf-8";
}

const std::map<std::string, PageFile, std::less<>>& page_files() {
  static const auto files = [] {
    std::map<std::string, PageFile, std::less<>> all;
    for (const auto& [name, bytes] : page_bytes()) {
      const std::string path = name == "index.html" ? "/" : "/" + std::string(name);
      all[path] = {bytes, content_type_of(name), '"' + hex(as_bytes(sha256(bytes)), 64) + '"'};
    }
    return all;
  }();
  return files;
}

}  // namespace

bool is_page_file(std::string_view path) { return page_files().contains(path); }

const std::string& page_version() {
  static const std::string version = [] {
    std::string etags;
    for (const auto& [path, file] : page_files()) etags += path + file.etag;
    return hex(as_bytes(sha256(etags)), 16);
  }();
  return version;
}

HttpResponse page_response(const HttpRequest& request) {
  const auto found = page_files().find(request.path);
  if (found == page_files().end()) return error_response(Error{ErrorCode::not_found, "there is no such page"});
  const PageFile& file = found->second;
  HttpResponse response;
  response.headers["ETag"] = file.etag;
  response.headers["Cache-Control"] = "no-cache";  // it is asked for again, and not sent again
  response.headers["Content-Security-Policy"] = panel_security_policy;
  response.headers["Referrer-Policy"] = "no-referrer";
  response.headers["Cross-Origin-Resource-Policy"] = "same-origin";
  response.headers["Cross-Origin-Opener-Policy"] = "same-origin";
  response.content_type = file.content_type;
  if (request.if_none_match == file.etag)
    response.status = 304;
  else
    response.body = file.bytes;
  return response;
}

}  // namespace loci
