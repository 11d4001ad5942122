#include "vault/rewrite/temporary_file.h"

#include <utility>

#include "vault/layout/host.h"

namespace loci {

Result<TemporaryFile> TemporaryFile::write(const Vault& vault, const std::string& name, std::string_view bytes, mode_t mode) {
  FileSystem& files = vault.files();
  const path folder = vault.temporary_folder();
  TRY(make_temporary_folder(vault));
  auto fd = TRY(files.open(folder / name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  TemporaryFile file(files, folder / name);
  TRY(files.write_once(fd, bytes, file.name()));
  if (mode != 0600) TRY(files.change_mode(fd, mode, file.name()));
  TRY(files.sync(fd, file.name()));
  return file;
}

Status TemporaryFile::rename(const std::string& name) {
  const path renamed = name_.parent_path() / name;
  TRY(files_->rename(name_, renamed));
  name_ = renamed;
  return {};
}

TemporaryFile::~TemporaryFile() {
  if (files_) (void)files_->remove(name_);  // it was never part of the vault; whoever cleans .loci/tmp/ finds it
}

}  // namespace loci
