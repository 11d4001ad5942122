#include "memory/purge_stores.h"

#include <algorithm>
#include <optional>

#include "base/process_lock.h"
#include "memory/purge_record.h"
#include "memory/stores.h"
#include "vault/purge/purge_markdown.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

using std::filesystem::recursive_directory_iterator;

constexpr size_t most_matches = 20;
constexpr std::chrono::seconds lock_patience{10};

const path& root_of(const Vault& vault, const Store& store) {
  return store.root == StoreRoot::vault ? vault.root() : vault.state_folder();
}

bool is_all_memory_files(const Store& store) { return store.root == StoreRoot::vault && store.place.empty(); }

// The files that belong to this store and no other. A folder of the vault that is a link leads to somebody else's.
std::vector<path> files_of(const Vault& vault, std::span<const Store> stores, const Store& store) {
  std::vector<path> files;
  const path& root = root_of(vault, store);
  const path start = root / path(store.place).parent_path();
  std::error_code error;
  if (store.root == StoreRoot::vault && std::filesystem::canonical(start, error) != start.lexically_normal()) return files;
  recursive_directory_iterator walk(start, error), end;
  for (; !error && walk != end; walk.increment(error))
    if (std::filesystem::is_regular_file(walk->symlink_status(error)) &&
        store_of(stores, store.root, walk->path().lexically_relative(root).string()) == &store)
      files.push_back(walk->path());
  std::ranges::sort(files);
  return files;
}

// What a rewrite left that was killed: the file itself is whole.
bool is_leftover(std::string_view name) { return name.contains(".tmp-"); }

std::optional<std::string> purge_leftover(const std::string& bytes, const PurgedText& text) {
  if (text.stands_escaped_in(bytes) || tells_of_purged(bytes, text)) return std::nullopt;
  return bytes;
}

class StorePurge {
 public:
  StorePurge(const Vault& vault, std::span<const Store> stores, const PurgedText& text, StoresPurged& purged)
      : vault_(vault), stores_(stores), text_(text), purged_(purged) {}

  void purge(const Store& store) {
    const path& root = root_of(vault_, store);
    const std::vector<path> files = files_of(vault_, stores_, store);
    if (files.empty()) return;
    std::optional<ProcessLock> lock;
    if (!store.lock.empty()) {
      auto held = ProcessLock::acquire(vault_.files(), root / store.lock, lock_patience);
      if (!held) return failed(std::string(store.name), held.error());
      lock.emplace(std::move(*held));
    }
    for (const path& file : files) {
      const auto changed = change(store, file, file.lexically_relative(root).string());
      const bool inside = store.root == StoreRoot::vault;
      const std::string name = inside ? file.lexically_relative(root).string() : file.string();
      if (changed && *changed) (inside ? purged_.files : purged_.state_files).push_back(name);
      if (!changed && changed.error().code != ErrorCode::not_found) failed(name, changed.error());
    }
  }

 private:
  // What other processes rewrite or append to is replaced only if it is what was read.
  Result<bool> change(const Store& store, const path& file, const std::string& relative) {
    const bool is_left = is_leftover(relative);
    if (!store.purge && !is_left) return false;
    const auto before = TRY(read_file(vault_.files(), file));
    const auto after = is_left ? purge_leftover(before, text_) : store.purge(relative, before, text_);
    if (after == before) return false;
    if (!after) {
      TRY(vault_.files().remove(file));
      return true;
    }
    if (store.root == StoreRoot::vault && store.lock.empty())
      return change_file(vault_, relative, [&](std::string_view bytes) -> Result<std::string> {
        return store.purge(relative, bytes, text_).value_or(std::string());
      });
    TRY(write_file(vault_.files(), file, *after));
    return true;
  }

  void failed(const std::string& name, const Error& error) {
    purged_.failures.push_back(name + " may still hold the text or its hash: " + error.message);
  }

  const Vault& vault_;
  std::span<const Store> stores_;
  const PurgedText& text_;
  StoresPurged& purged_;
};

void find_words(const Vault& vault, const path& file, const std::string& name, const PurgedText& text,
                std::vector<std::string>& found) {
  const auto bytes = read_file(vault.files(), file);
  if (!bytes) return;
  const size_t at = text.find_in(*bytes);
  if (at == std::string::npos) return;
  found.push_back(name + ":" + std::to_string(1 + std::ranges::count(std::string_view(*bytes).substr(0, at), '\n')));
}

}  // namespace

void purge_stores(const Vault& vault, std::span<const Store> stores, const PurgedText& text, StoresPurged& purged) {
  StorePurge work(vault, stores, text, purged);
  // Those with a lock last: one of them is .loci/tmp/, where a replace leaves what it displaced.
  for (const bool has_lock : {false, true})
    for (const Store& store : stores)
      if (!is_all_memory_files(store) && store.lock.empty() != has_lock) work.purge(store);
}

std::vector<StoredFile> stored_files_with(const Vault& vault, std::span<const Store> stores, const PurgedText& text) {
  std::vector<StoredFile> found;
  for (const Store& store : stores) {
    if (!store.purge || is_all_memory_files(store)) continue;
    for (const path& file : files_of(vault, stores, store)) {
      const std::string relative = file.lexically_relative(root_of(vault, store)).string();
      const auto bytes = read_file(vault.files(), file);
      if (bytes && store.purge(relative, *bytes, text) != *bytes)
        found.push_back({file, store.root == StoreRoot::vault ? relative : file.string()});
    }
  }
  return found;
}

std::vector<std::string> files_that_still_hold(const Vault& vault, const PurgedText& text) {
  std::vector<std::string> found;
  for (const path& root : {vault.root(), vault.state_folder()}) {
    std::error_code error;
    recursive_directory_iterator walk(root, std::filesystem::directory_options::skip_permission_denied, error);
    for (; !error && walk != recursive_directory_iterator(); walk.increment(error)) {
      if (walk->path().filename() == ".git") walk.disable_recursion_pending();
      if (!walk->is_regular_file(error) || found.size() == most_matches) continue;
      if (walk->path() == vault.state_folder() / purge_record_name) continue;
      // The index was made anew from what is looked at here. Whoever closes one of its files takes the locks away that SQLite holds
      // on it in this process; the next process would shorten what is mapped here.
      if (walk->path().parent_path() == vault.state_folder() && walk->path().filename().string().starts_with(index_store.place))
        continue;
      const bool inside = root == vault.root();
      find_words(vault, walk->path(), inside ? walk->path().lexically_relative(root).string() : walk->path().string(), text, found);
    }
  }
  return found;
}

}  // namespace loci
