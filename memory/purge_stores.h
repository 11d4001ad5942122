// What a purge does in every store but the memory files, and what `doctor` finds there: the text of one is taken out of its files,
// or only looked for.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vault/layout/vault.h"
#include "vault/purge/store.h"

namespace loci {

struct StoredFile {
  path file;         // absolute
  std::string name;  // relative to the vault; absolute in the state folder
};

struct StoresPurged {
  std::vector<std::string> files;        // of the vault, relative, that were changed
  std::vector<std::string> state_files;  // of the state folder
  std::vector<std::string> failures;     // what could not be changed, and why
};

// Rewrites the files of every store, under its lock if it has one. One that fails does not stop the others.
void purge_stores(const Vault& vault, std::span<const Store> stores, const PurgedText& text, StoresPurged& purged);

// The files that purge_stores would change.
std::vector<StoredFile> stored_files_with(const Vault& vault, std::span<const Store> stores, const PurgedText& text);

// Files of the vault (hidden ones too, git's own objects not) and of the state folder that contain a line of one of these texts,
// "FILE:LINE". Those of the index are not opened: it is made anew from the others.
std::vector<std::string> files_that_still_hold(const Vault& vault, const PurgedText& text);

}  // namespace loci
