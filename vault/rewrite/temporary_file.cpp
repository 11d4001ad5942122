#include "vault/rewrite/temporary_file.h"

#include <utility>

#include "vault/layout/host.h"

namespace loci {

Result<TemporaryFile> TemporaryFile::write(const Vault& vault, const std::string& name, std::string_view bytes, mode_t mode) {
  FileSystem& files = vault.files();
  const path folder = vault.temporary_folder();
  if (auto made = make_temporary_folder(vault); !made) return std::unexpected(made.error());
  auto fd = files.open(folder / name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (!fd) return std::unexpected(fd.error());
  TemporaryFile file(files, folder / name);
  if (auto done = files.write_once(*fd, bytes, file.name()); !done) return std::unexpected(done.error());
  if (mode != 0600)
    if (auto done = files.change_mode(*fd, mode, file.name()); !done) return std::unexpected(done.error());
  if (auto done = files.sync(*fd, file.name()); !done) return std::unexpected(done.error());
  return file;
}

Status TemporaryFile::rename(const std::string& name) {
  const path renamed = name_.parent_path() / name;
  if (auto done = files_->rename(name_, renamed); !done) return done;
  name_ = renamed;
  return {};
}

TemporaryFile::~TemporaryFile() {
  if (files_) (void)files_->remove(name_);  // it was never part of the vault; whoever cleans .loci/tmp/ finds it
}

}  // namespace loci
