// Problems as a blob of the index, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "indexer/bytes.h"
#include "vault/layout/problem.h"

namespace loci {

inline std::string pack_problems(const std::vector<Problem>& problems) {
  std::string bytes;
  ByteWriter out(bytes);
  for (const auto& problem : problems) {
    out.text(problem.file);
    out.varint(static_cast<std::uint64_t>(problem.line));
    out.text(problem.code);
    out.text(problem.message);
  }
  return bytes;
}

inline std::vector<Problem> unpack_problems(std::string_view bytes) {
  std::vector<Problem> problems;
  ByteReader in(bytes);
  while (!in.at_end()) {
    Problem problem;
    problem.file = in.text();
    problem.line = static_cast<int>(in.varint());
    problem.code = in.text();
    problem.message = in.text();
    if (in.ok()) problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace loci
