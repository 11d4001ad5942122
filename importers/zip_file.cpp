#include "importers/zip_file.h"

#include <minizip/unzip.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace loci::importers {
namespace {

constexpr size_t piece = size_t{256} << 10;
constexpr size_t most_members = 100'000;
constexpr std::uint64_t elsewhere = 0xFFFFFFFF;  // a number of 32 bits that says: it is in the zip64 field
constexpr int stored = 0, deflated = 8;

std::uint64_t number_in(std::string_view bytes, size_t at, size_t length) {
  std::uint64_t number = 0;
  for (size_t i = length; i > 0; --i) number = number << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  return number;
}

// The sizes of a member that need 64 bits stand in an extra field, one behind the other. minizip 1.1 does not read them (its test
// for `elsewhere` is of an unsigned long, which has 64 bits), so it is asked for the place of a member only.
void read_zip64_sizes(std::string_view extra, unz_file_info64& info) {
  while (extra.size() >= 4) {
    const auto id = number_in(extra, 0, 2), length = number_in(extra, 2, 2);
    extra.remove_prefix(4);
    std::string_view field = extra.substr(0, length);
    for (auto* size : {&info.uncompressed_size, &info.compressed_size}) {
      if (id != 1 || *size != elsewhere || field.size() < 8) continue;
      *size = number_in(field, 0, 8);
      field.remove_prefix(8);
    }
    extra.remove_prefix(std::min<size_t>(length, extra.size()));
  }
}

struct MemberInfo {
  unz_file_info64 info{};
  std::string name;
};

std::optional<MemberInfo> current_member(void* zip) {
  MemberInfo member;
  std::vector<char> name(size_t{64} << 10), extra(size_t{64} << 10);
  if (unzGetCurrentFileInfo64(zip, &member.info, name.data(), name.size(), extra.data(), extra.size(), nullptr, 0) != UNZ_OK)
    return std::nullopt;
  member.name.assign(name.data(), strnlen(name.data(), name.size()));
  read_zip64_sizes({extra.data(), std::min<size_t>(member.info.size_file_extra, extra.size())}, member.info);
  return member;
}

// Unpacks one member, piece by piece.
class Unpacking {
 public:
  Unpacking(int fd, std::uint64_t offset, const unz_file_info64& info)
      : fd_(fd), offset_(offset), info_(info), packed_left_(info.compressed_size) {
    is_good_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK;
  }
  ~Unpacking() { inflateEnd(&stream_); }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  // Empty at the end, if the member is whole; else none.
  std::optional<std::string_view> next() {
    while (is_good_ && !is_at_end_) {
      if (stream_.avail_in == 0) read_packed();
      const size_t length = is_good_ ? unpack() : 0;
      if (length == 0) continue;
      checksum_ = ::crc32(checksum_, reinterpret_cast<const Bytef*>(unpacked_.data()), static_cast<uInt>(length));
      unpacked_bytes_ += length;
      return std::string_view(unpacked_.data(), length);
    }
    const bool is_whole = is_good_ && unpacked_bytes_ == info_.uncompressed_size && checksum_ == info_.crc;
    return is_whole ? std::optional(std::string_view()) : std::nullopt;
  }

 private:
  void read_packed() {
    const size_t wanted = std::min<std::uint64_t>(packed_.size(), packed_left_);
    const ssize_t got = ::pread(fd_, packed_.data(), wanted, static_cast<off_t>(offset_));
    if (got < 0 || (got == 0 && wanted > 0)) {
      is_good_ = false;
      return;
    }
    offset_ += static_cast<std::uint64_t>(got);
    packed_left_ -= static_cast<std::uint64_t>(got);
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_in = static_cast<uInt>(got);
    if (got > 0) return;
    is_at_end_ = info_.compression_method == stored;
    is_good_ = is_at_end_;  // what is deflated says itself where it ends
  }

  size_t unpack() {
    if (info_.compression_method == stored) {
      const size_t length = std::exchange(stream_.avail_in, 0);
      std::memcpy(unpacked_.data(), stream_.next_in, length);
      return length;
    }
    stream_.next_out = reinterpret_cast<Bytef*>(unpacked_.data());
    stream_.avail_out = static_cast<uInt>(unpacked_.size());
    const int state = inflate(&stream_, Z_NO_FLUSH);
    is_at_end_ = state == Z_STREAM_END;
    is_good_ = is_at_end_ || state == Z_OK || state == Z_BUF_ERROR;
    return unpacked_.size() - stream_.avail_out;
  }

  const int fd_;
  std::uint64_t offset_;
  const unz_file_info64 info_;
  std::uint64_t packed_left_, unpacked_bytes_ = 0;
  uLong checksum_ = 0;
  z_stream stream_{};
  std::string packed_ = std::string(piece, '\0'), unpacked_ = std::string(piece, '\0');
  bool is_good_ = false, is_at_end_ = false;
};

}  // namespace

ZipFile::ZipFile(path file, Fd fd)
    : file_(std::move(file)), fd_(std::move(fd)), zip_(unzOpen64(file_.c_str()), [](void* zip) { unzClose(zip); }) {}

Error ZipFile::failed(const std::string& why) const { return Error{ErrorCode::usage, file_.string() + ": " + why}; }

Result<ZipFile> ZipFile::open(FileSystem& files, const path& file) {
  ZipFile zip(file, TRY(files.open(file, O_RDONLY | O_NONBLOCK)));
  if (!zip.zip_) return std::unexpected(zip.failed("this zip file cannot be read; was it downloaded whole?"));
  return zip;
}

Result<std::map<std::string, std::uint64_t>> ZipFile::members() {
  std::map<std::string, std::uint64_t> members;
  size_t count = 0;
  for (int state = unzGoToFirstFile(zip_.get()); state == UNZ_OK; state = unzGoToNextFile(zip_.get())) {
    if (count++ == most_members) return std::unexpected(failed("it has too many members"));
    const auto member = current_member(zip_.get());
    if (!member) return std::unexpected(failed("its list of members is damaged"));
    members.emplace(member->name, member->info.uncompressed_size);
  }
  return members;
}

Result<ByteReader> ZipFile::read(const std::string& name) {
  const auto refused = [&](const std::string& why, std::string hint) {
    Error error = failed(name + " in it " + why);
    error.hint = std::move(hint);
    return std::unexpected(std::move(error));
  };
  constexpr const char* unpack_it = "unpack the zip file, and give the folder";
  if (unzLocateFile(zip_.get(), name.c_str(), 1) != UNZ_OK) return refused("is damaged", "was it downloaded whole?");
  const auto member = current_member(zip_.get());
  if (!member) return refused("is damaged", "was it downloaded whole?");
  if ((member->info.flag & 1) != 0) return refused("is encrypted", unpack_it);
  if (member->info.compression_method != stored && member->info.compression_method != deflated)
    return refused("is packed in an unusual way", unpack_it);
  if (unzOpenCurrentFile(zip_.get()) != UNZ_OK) return refused("is damaged, or starts behind the first 4 GiB of it", unpack_it);
  const auto offset = unzGetCurrentFileZStreamPos64(zip_.get());
  unzCloseCurrentFile(zip_.get());
  auto unpacking = std::make_shared<Unpacking>(fd_.get(), offset, member->info);
  return ByteReader([this, name, unpacking]() -> Result<std::string_view> {
    const auto bytes = unpacking->next();
    if (!bytes) return std::unexpected(failed(name + " in it is damaged; was it downloaded whole?"));
    unpacked_ += bytes->size();
    if (unpacked_ > most_unpacked) return std::unexpected(failed("it unpacks to more than 64 GiB"));
    return *bytes;
  });
}

}  // namespace loci::importers
