#include "importers/members.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "importers/encoding.h"
#include "importers/zip_file.h"

namespace loci::importers {
namespace {

constexpr size_t piece = size_t{256} << 10;

Error cannot_read(const path& file, const std::string& why) { return Error{ErrorCode::usage, file.string() + ": " + why}; }

Result<ByteReader> reader_of_file(FileSystem& files, const path& file) {
  auto fd = TRY(files.open(file, O_RDONLY | O_NONBLOCK));
  const auto info = TRY(files.status(fd, file));
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::usage, file.string() + " is no regular file");
  struct State {
    Fd fd;
    std::string buffer = std::string(piece, '\0');
  };
  auto state = std::make_shared<State>(State{std::move(fd)});
  return ByteReader([state, file]() -> Result<std::string_view> {
    const ssize_t count = ::read(state->fd.get(), state->buffer.data(), state->buffer.size());
    if (count < 0) return fail_errno("read", file.string(), errno);
    return std::string_view(state->buffer.data(), static_cast<size_t>(count));
  });
}

// Tells how much of what is to be read has been.
class Meter {
 public:
  explicit Meter(const std::function<void(std::uint64_t, std::uint64_t)>& tell) : tell_(tell) {}

  void expect(std::uint64_t bytes) { total_ += bytes; }
  // The same reader, counted and in UTF-8. Not to be used after this.
  ByteReader measured(ByteReader read) {
    return in_utf8([this, read = std::move(read)]() -> Result<std::string_view> {
      auto bytes = read();
      if (bytes && tell_) tell_(done_ += bytes->size(), total_);
      return bytes;
    });
  }

 private:
  const std::function<void(std::uint64_t, std::uint64_t)>& tell_;
  std::uint64_t done_ = 0, total_ = 0;
};

std::uint64_t size_of(const path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : size;
}

// The first of the errors of members that cannot be read; any other ends the reading.
class Unreadable {
 public:
  Status go_on_after(Status done) {
    if (done || done.error().code != ErrorCode::usage) return done;
    if (first_) first_ = std::move(done);
    return {};
  }
  Status first() && { return std::move(first_); }

 private:
  Status first_;
};

Status read_file_at(const ImportSource& source, const std::string& name, const std::function<Status(Member&)>& each, Meter& meter) {
  const path file = source.root / name;
  auto read = reader_of_file(source.files, file);
  if (!read) return std::unexpected(cannot_read(file, read.error().message));
  Member member{name, meter.measured(std::move(*read))};
  return each(member);
}

bool is_zip(FileSystem& files, const path& file) {
  const auto fd = files.open(file, O_RDONLY | O_NONBLOCK);
  char magic[4] = {};
  return fd && ::pread(fd->get(), magic, sizeof magic, 0) == sizeof magic && std::string_view(magic, 2) == "PK";
}

Status read_zip(const ImportSource& source, const std::function<bool(std::string_view)>& is_wanted,
                const std::function<Status(Member&)>& each, Meter& meter) {
  auto zip = TRY(ZipFile::open(source.files, source.root));
  const auto members = TRY(zip.members());
  for (const auto& [name, bytes] : members)
    if (is_wanted(name)) meter.expect(bytes);
  const auto read = [&](const std::string& name) -> Status {
    Member member{name, meter.measured(TRY(zip.read(name)))};
    return each(member);
  };
  Unreadable unreadable;
  for (const auto& [name, bytes] : members)
    if (is_wanted(name)) TRY(unreadable.go_on_after(read(name)));
  return std::move(unreadable).first();
}

bool is_vault(const ImportSource& source, const path& folder) {
  std::error_code error;
  return !source.vault.empty() && std::filesystem::equivalent(folder, source.vault, error);
}

}  // namespace

std::vector<std::string> files_below(const ImportSource& source, const path& folder,
                                     const std::function<bool(std::string_view name)>& is_wanted,
                                     const std::function<void(const std::string& name)>& unreadable) {
  std::vector<std::string> names;
  std::vector<path> folders{folder};
  while (!folders.empty()) {
    const path inner = std::move(folders.back());
    folders.pop_back();
    std::error_code error, none;
    auto entry = std::filesystem::directory_iterator(inner, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
      if (entry->is_symlink(none)) continue;
      const std::string name = entry->path().lexically_relative(folder).string();
      if (entry->is_directory(none) && !is_vault(source, entry->path())) folders.push_back(entry->path());
      if (entry->is_regular_file(none) && is_wanted(name)) names.push_back(name);
    }
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
      unreadable(inner.lexically_relative(folder).string());
  }
  std::ranges::sort(names);
  return names;
}

std::optional<Instant> time_of_file(const path& file) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file, error);
  if (error) return std::nullopt;
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::file_clock::to_sys(written));
}

Status for_each_member(const ImportSource& source, const std::function<bool(std::string_view)>& is_wanted,
                       const std::function<Status(Member&)>& each) {
  Meter meter{source.progress};
  std::error_code error;
  if (std::filesystem::is_directory(source.root, error)) {
    Unreadable unreadable;
    const auto names = files_below(source, source.root, is_wanted, [&](const std::string& name) {
      (void)unreadable.go_on_after(std::unexpected(cannot_read(source.root / name, "this folder cannot be read")));
    });
    for (const std::string& name : names) meter.expect(size_of(source.root / name));
    for (const std::string& name : names) TRY(unreadable.go_on_after(read_file_at(source, name, each, meter)));
    return std::move(unreadable).first();
  }
  if (is_zip(source.files, source.root)) return read_zip(source, is_wanted, each, meter);
  meter.expect(size_of(source.root));
  Member member{source.root.filename().string(), meter.measured(TRY(reader_of_file(source.files, source.root)))};
  return each(member);
}

}  // namespace loci::importers
