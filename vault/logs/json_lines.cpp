#include "vault/logs/json_lines.h"

#include <algorithm>

namespace loci {

Result<bool> append_json_line(FileSystem& files, const path& file, const Json& value) {
  auto fd = files.open(file, O_WRONLY | O_APPEND);
  const bool is_new = !fd && fd.error().code == ErrorCode::not_found;
  if (is_new) {
    TRY(make_folders(files, file.parent_path()));
    fd = files.open(file, O_WRONLY | O_APPEND | O_CREAT, 0600);
  }
  if (!fd) return std::unexpected(fd.error());
  // The newline in front ends a line that a full disk or a crash cut off.
  TRY(files.write_once(*fd, '\n' + to_string(value) + '\n', file));
  return is_new;
}

void visit_json_lines(std::string_view bytes, JsonLimits limits, const std::function<void(int, const Json*)>& visit) {
  for (int number = 1; !bytes.empty(); ++number) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    if (end > 0) {
      const auto value = parse_json(bytes.substr(0, end), limits);
      visit(number, value ? &*value : nullptr);
    }
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

}  // namespace loci
