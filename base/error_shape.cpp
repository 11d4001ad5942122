#include "base/error_shape.h"

namespace loci {

Json error_to_json(const Error& error) {
  Json inner = Json::object();
  inner.set("code", name_of(error.code));
  inner.set("message", error.message);
  inner.set("hint", error.hint);
  if (!error.file.empty()) inner.set("file", error.file);
  if (error.line > 0) inner.set("line", error.line);
  Json outer = Json::object();
  outer.set("v", 1);
  outer.set("error", std::move(inner));
  return outer;
}

}  // namespace loci
