// pack_table SHA256 OUTPUT < ENCODING.tiktoken
// Run while loci is built: checks the file of an encoding ("BASE64 RANK" a line, ranks from 0 without a gap) and writes its table.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "tokens/token_table.h"

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string from_base64(std::string_view text) {
  std::string bytes;
  unsigned value = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    value = value << 6 | static_cast<unsigned>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(value >> bits & 0xFF);
  }
  return bytes;
}

int complain(const char* what) {
  std::fprintf(stderr, "pack_table: %s\n", what);
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return complain("usage: pack_table SHA256 OUTPUT < ENCODING.tiktoken");
  const std::string file{std::istreambuf_iterator<char>(std::cin), {}};
  if (loci::hex(loci::as_bytes(loci::sha256(file)), 64) != arguments[1]) return complain("the file is not the one that is meant");
  std::istringstream lines(file);
  std::vector<std::string> tokens;
  std::string token;
  for (size_t rank = 0; lines >> token >> rank; tokens.push_back(from_base64(token)))
    if (rank != tokens.size()) return complain("a rank is missing");
  const std::string table = loci::TokenTable::pack(tokens);
  std::ofstream output(arguments[2], std::ios::binary);
  output.write(table.data(), static_cast<std::streamsize>(table.size()));
  return output.flush() ? 0 : complain("cannot write the table");
}
