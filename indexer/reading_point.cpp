#include "indexer/reading_point.h"

#include "base/hash.h"
#include "indexer/bytes.h"

namespace loci {
namespace {

// A place under so many headings, tags or sessions that it is not worth keeping more than one of.
constexpr size_t largest_checkpoint = 1024;

void write(ByteWriter& out, const ReadingPoint& point) {
  out.text(point.resume.serialise());
  const auto& [section, sessions] = point.headings;
  const bool same_section = section == point.resume.section;
  out.varint(same_section ? 0 : section.size() + 1);
  if (!same_section)
    for (const auto& title : section) out.text(title);
  out.varint(sessions.size());
  for (const auto session : sessions) out.fixed(session);
}

bool read(ByteReader& in, ReadingPoint& point) {
  auto resume = ResumePoint::deserialise(in.text());
  if (!resume) return false;
  point.resume = std::move(*resume);
  if (auto titles = in.varint(); titles == 0)
    point.headings.section = point.resume.section;
  else
    while (--titles > 0 && in.ok()) point.headings.section.emplace_back(in.text());
  for (auto count = in.varint(); count > 0 && in.ok(); --count) point.headings.sessions.push_back(in.fixed<std::uint64_t>());
  return in.ok();
}

size_t packed_size(const ReadingPoint& point) {
  std::string bytes;
  ByteWriter out(bytes);
  write(out, point);
  return bytes.size();
}

// How many checkpoints from the top have the bytes above them as they were.
size_t count_kept_head(const std::vector<Checkpoint>& checkpoints, std::string_view bytes) {
  size_t begin = 0;
  size_t count = 0;
  for (; count < checkpoints.size(); ++count) {
    const size_t end = checkpoints[count].point.resume.offset;
    if (end > bytes.size() || hash64(bytes.substr(begin, end - begin)) != checkpoints[count].hash) break;
    begin = end;
  }
  return count;
}

// The same from the end; `bytes` end where the old ones did.
size_t count_kept_tail(const ReadingPoints& points, std::uint64_t old_length, std::string_view bytes) {
  const auto& checkpoints = points.checkpoints;
  std::uint64_t end = old_length;
  size_t left = bytes.size();
  size_t count = 0;
  for (; count < checkpoints.size(); ++count) {
    const auto begin = checkpoints[checkpoints.size() - 1 - count].point.resume.offset;
    const auto hash = count == 0 ? points.hash_behind : checkpoints[checkpoints.size() - count].hash;
    if (begin > end || end - begin > left || hash64(bytes.substr(left - (end - begin), end - begin)) != hash) break;
    left -= end - begin;
    end = begin;
  }
  return count;
}

}  // namespace

std::string pack(const ReadingPoints& points) {
  std::string bytes;
  ByteWriter out(bytes);
  write(out, points.last);
  out.varint(points.checkpoints.size());
  for (const auto& [point, hash] : points.checkpoints) {
    write(out, point);
    out.fixed(hash);
  }
  if (!points.checkpoints.empty()) out.fixed(points.hash_behind);
  seal(bytes);
  return bytes;
}

bool unpack(std::string_view sealed, ReadingPoints& points) {
  const auto bytes = unseal(sealed);
  if (!bytes) return false;
  ByteReader in(*bytes);
  if (!read(in, points.last)) return false;
  for (auto count = in.varint(); count > 0 && in.ok(); --count) {
    auto& [point, hash] = points.checkpoints.emplace_back();
    if (!read(in, point)) return false;
    hash = in.fixed<std::uint64_t>();
  }
  if (!points.checkpoints.empty()) points.hash_behind = in.fixed<std::uint64_t>();
  return in.ok() && in.at_end();
}

void settle(ReadingPoints& points, std::string_view bytes) {
  size_t last = 0;
  std::erase_if(points.checkpoints, [&](const Checkpoint& checkpoint) {
    const size_t offset = checkpoint.point.resume.offset;
    if (offset < last + checkpoint_spacing || packed_size(checkpoint.point) > largest_checkpoint) return true;
    last = offset;
    return false;
  });
  last = 0;
  for (auto& [point, hash] : points.checkpoints) {
    hash = hash64(bytes.substr(last, point.resume.offset - last));
    last = point.resume.offset;
  }
  points.hash_behind = points.checkpoints.empty() ? 0 : hash64(bytes.substr(last));
}

size_t PartToRead::end(std::uint64_t old_length, std::string_view bytes) const {
  return until != nullptr ? until->resume.offset + bytes.size() - old_length : bytes.size();
}

std::optional<PartToRead> part_to_read(const ReadingPoints& points, std::uint64_t old_length, std::uint64_t old_hash,
                                       std::string_view bytes) {
  if (bytes.size() > old_length && hash64(bytes.substr(0, old_length)) == old_hash) return PartToRead{.from = &points.last};
  const auto& checkpoints = points.checkpoints;
  const size_t head = count_kept_head(checkpoints, bytes);
  const size_t tail = count_kept_tail(points, old_length, bytes);
  PartToRead part;
  // The first line at a checkpoint belongs to what has to be the same: only what stands above the next one shows that.
  if (head >= 2) part.from = &checkpoints[head - 2].point;
  // In a text that repeats itself the two may overlap.
  const size_t begin = part.from != nullptr ? part.from->resume.offset : 0;
  for (size_t i = checkpoints.size() - tail; i < checkpoints.size() && part.until == nullptr; ++i)
    if (const PartToRead down_to{.until = &checkpoints[i].point}; down_to.end(old_length, bytes) > begin)
      part.until = down_to.until;
  if (part.from == nullptr && part.until == nullptr) return std::nullopt;
  return part;
}

bool go_on_alike(const ReadingPoint& now, const ReadingPoint& before) { return shifted(before, before.resume, now.resume) == now; }

ReadingPoint shifted(ReadingPoint point, const ResumePoint& before, const ResumePoint& now) {
  point.resume.offset += now.offset - before.offset;
  point.resume.line += now.line - before.line;
  point.resume.entries += now.entries - before.entries;
  return point;
}

}  // namespace loci
