#include "consolidate/kept_answers.h"

#include "base/hash.h"

namespace loci {
namespace {

constexpr size_t name_digits = 40;

path folder_of(const Vault& vault) { return vault.state_folder() / "answers"; }

path file_of(const Vault& vault, const ModelRequest& request) {
  std::string all;
  for (const std::string& part : {request.task, request.instructions, request.input, to_string(request.schema)})
    (all += std::to_string(part.size()) + '\n') += part;
  return folder_of(vault) / (hex(as_bytes(sha256(all)), name_digits) + ".txt");
}

// An answer without one of its texts is none; a model may have said it in other words.
std::optional<std::string> purge_answer(std::string_view, std::string_view bytes, const PurgedText& text) {
  if (text.stands_escaped_in(bytes) || text.is_said_in(bytes)) return std::nullopt;
  return std::string(bytes);
}

}  // namespace

std::optional<ModelAnswer> KeptAnswers::find(const ModelRequest& request) const {
  auto bytes = read_file_if_any(vault_.files(), file_of(vault_, request));
  if (!bytes || !*bytes) return std::nullopt;
  return ModelAnswer{std::move(**bytes), {}};
}

Status KeptAnswers::keep(const ModelRequest& request, const ModelAnswer& answer) const {
  TRY(make_folders(vault_.files(), folder_of(vault_)));
  return write_file(vault_.files(), file_of(vault_, request), answer.text);
}

void KeptAnswers::drop(const ModelRequest& request) const { (void)vault_.files().remove(file_of(vault_, request)); }

void KeptAnswers::drop_all() const {
  std::error_code ignored;  // what stays is never asked for again, and goes with the next run
  std::filesystem::remove_all(folder_of(vault_), ignored);
}

constinit const Store answer_store{"answers of a run that has not ended", StoreRoot::state, "answers/", Permissions::owner,
                                   purge_answer};

}  // namespace loci
