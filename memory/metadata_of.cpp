#include "memory/metadata_of.h"

namespace loci {

Metadata metadata_of(const Entry& entry) {
  Metadata metadata;
  metadata.id = entry.id;
  metadata.at = entry.at;
  metadata.source = entry.source;
  if (entry.kind != EntryKind::fact) metadata.kind = entry.kind;
  metadata.session = entry.session;
  metadata.turn = entry.turn;
  metadata.role = entry.role;
  metadata.task = entry.task;
  metadata.project = entry.project;
  metadata.tags = entry.tags;
  metadata.category = entry.category;
  metadata.confidence = entry.confidence;
  metadata.about = entry.about;
  metadata.corrects = entry.corrects;
  metadata.first_seen = entry.first_seen;
  metadata.updated = entry.updated;
  metadata.sources = entry.sources;
  metadata.from = entry.from;
  return metadata;
}

}  // namespace loci
