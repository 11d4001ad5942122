#include "embeddings/missing_vectors.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/process_lock.h"
#include "embeddings/embedder.h"
#include "embeddings/vector_file.h"
#include "memory/may_send.h"
#include "model/model_use.h"
#include "tokens/estimate.h"

namespace loci {
namespace {

constexpr size_t batch_size = 32, page_size = 500;
constexpr std::chrono::seconds patience{120}, lock_patience{10};

std::string today(const Vault& vault) { return vault.clock().local_date(vault.clock().now()); }

struct Wanted {
  std::string hash, text;
};

class Pass {
 public:
  Pass(Memory& memory, EmbeddingModel& model, const std::stop_token& stop, const std::function<void(const VectorCounts&)>& counted)
      : memory_(memory), vault_(memory.vault()), model_(model), stop_(stop), counted_(counted), sendable_(memory) {}

  Status run() {
    const auto known = TRY(Vectors::open(vault_.files(), vault_.state_folder(), model_name()));
    known_ = known->hashes();
    dimensions_ = known->size() > 0 ? known->dimensions() : 0;
    std::string after;
    while (!has_to_end()) {
      auto page = TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list({}, page_size, after); }));
      counts_.all_seen = page.size() < page_size;
      if (!page.empty()) after = page.back().id;
      for (Entry& entry : page) TRY(look_at(entry));
      if (counts_.all_seen) break;
    }
    TRY(flush());
    counts_.all_seen = counts_.all_seen && !has_to_end();
    counted_(counts_);
    return {};
  }

 private:
  bool has_to_end() const { return stop_.stop_requested() || counts_.limit_reached; }
  std::string model_name() const { return name_of_embedding_model(vault_.config()); }

  Status look_at(Entry& entry) {
    ++counts_.entries;
    if (known_.contains(entry.hash)) {
      ++counts_.with_vector;
      return {};
    }
    if (has_to_end() || entry.text.empty()) return {};
    if (!TRY(sendable_.may_send(entry))) {
      ++counts_.kept_back;
      return {};
    }
    known_.insert(entry.hash);
    batch_.push_back({std::move(entry.hash), embedded_part(entry.text)});
    return batch_.size() < batch_size ? Status() : flush();
  }

  Status flush() {
    const std::vector<Wanted> batch = std::exchange(batch_, {});
    if (batch.empty() || has_to_end()) return {};
    TRY(make(batch));
    counted_(counts_);
    return {};
  }

  // A text that the server does not take must not keep the others from theirs.
  Status make(std::span<const Wanted> wanted) {
    std::vector<std::string> texts;
    std::int64_t tokens = 0;
    for (const Wanted& one : wanted) {
      texts.push_back(one.text);
      tokens += estimate_tokens(one.text);
    }
    const std::int64_t limit = embedding_settings(vault_.config())->max_tokens_a_day;
    if (limit > 0 && tokens_of_embeddings(vault_) + tokens > limit) {
      counts_.limit_reached = true;
      return {};
    }
    const auto answer = model_.embed(texts, patience, stop_);
    if (answer) return keep(wanted, *answer);
    if (!model_.refused_texts()) return std::unexpected(answer.error());
    if (wanted.size() == 1) {
      ++counts_.refused;
      return {};
    }
    for (size_t i = 0; i < wanted.size() && !has_to_end(); ++i) TRY(make(wanted.subspan(i, 1)));
    return {};
  }

  // With the lock held, that a purge holds as well: what was forgotten while the server was asked leaves no vector.
  Status keep(std::span<const Wanted> wanted, const Embedded& embedded) {
    const path folder = vector_folder(vault_.state_folder());
    TRY(make_folders(vault_.files(), folder));
    const auto lock = TRY(ProcessLock::acquire(vault_.files(), folder, lock_patience));
    TRY(count_tokens(embedded.tokens));
    memory_.drop_reader();
    std::vector<TextVector> vectors;
    for (size_t i = 0; i < wanted.size(); ++i)
      if (TRY(still_stands(wanted[i].hash))) vectors.push_back({wanted[i].hash, embedded.vectors[i]});
    TRY(add_vectors(vault_.files(), vault_.state_folder(), model_name(), vectors));
    counts_.with_vector += static_cast<std::int64_t>(vectors.size());
    return vectors.empty() ? Status() : compare_dimensions(vectors.front().vector.size());
  }

  // The file was begun anew if these are others than before: what this pass took for made is gone, and the next one makes it.
  Status compare_dimensions(size_t now) {
    const size_t before = std::exchange(dimensions_, now);
    if (before == 0 || before == now) return {};
    return fail(ErrorCode::remote, "[models.embeddings] vectors of " + std::to_string(now) + " numbers came, where there were " +
                                       std::to_string(before) + ": all are made anew");
  }

  Result<bool> still_stands(const std::string& hash) {
    const auto found =
        TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_text(hash, std::string_view()); }));
    return std::ranges::any_of(found, [&](const Entry& entry) { return entry.active && entry.hash == hash; });
  }

  Status count_tokens(std::int64_t tokens) {
    const path folder = vector_folder(vault_.state_folder());
    ModelUse use = read_model_use(vault_.files(), folder, today(vault_));
    use.today.input += tokens;
    return write_model_use(vault_.files(), folder, use);
  }

  Memory& memory_;
  const Vault& vault_;
  EmbeddingModel& model_;
  const std::stop_token& stop_;
  const std::function<void(const VectorCounts&)>& counted_;
  Sendable sendable_;
  VectorCounts counts_;
  std::set<std::string> known_;  // have a vector, or are in a batch
  std::vector<Wanted> batch_;
  size_t dimensions_ = 0;  // of the vectors in the file; 0: there is none
};

}  // namespace

std::int64_t tokens_of_embeddings(const Vault& vault) {
  return read_model_use(vault.files(), vector_folder(vault.state_folder()), today(vault)).today.total();
}

Status make_missing_vectors(Memory& memory, EmbeddingModel& model, const std::stop_token& stop,
                            const std::function<void(const VectorCounts&)>& counted) {
  return Pass(memory, model, stop, counted).run();
}

}  // namespace loci
