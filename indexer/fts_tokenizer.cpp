#include "indexer/fts_tokenizer.h"

#include <sqlite3.h>

#include "indexer/fts5_api.h"

namespace loci {
namespace {

using TokenCallback = int (*)(void*, int, const char*, int, int, int);

class CallbackSink final : public TokenSink {
 public:
  CallbackSink(void* context, TokenCallback callback, TermTable* terms = nullptr, bool is_of_text = false)
      : context_(context), callback_(callback), terms_(terms), is_of_text_(is_of_text) {}

  bool take(const Token& token) override {
    if (!token.colocated) ++count_;
    if (terms_ != nullptr) terms_->take(token, is_of_text_);
    code_ = callback_(context_, token.colocated ? FTS5_TOKEN_COLOCATED : 0, token.term.data(), static_cast<int>(token.term.size()),
                      static_cast<int>(token.begin), static_cast<int>(token.end));
    return code_ == SQLITE_OK;
  }
  int code() const { return code_; }
  std::uint32_t count() const { return count_; }

 private:
  void* context_;
  TokenCallback callback_;
  TermTable* terms_;
  bool is_of_text_;
  int code_ = SQLITE_OK;
  std::uint32_t count_ = 0;
};

int take_terms(std::string_view terms, CallbackSink& sink) {
  for (size_t begin = 0; begin < terms.size();) {
    const size_t end = std::min(terms.find(' ', begin), terms.size());
    if (end > begin && !sink.take({terms.substr(begin, end - begin), false, begin, end})) break;
    begin = end + 1;
  }
  return sink.code();
}

int create(void* shared, const char**, int, Fts5Tokenizer** out) {
  *out = static_cast<Fts5Tokenizer*>(shared);  // one for the connection, owned by whoever registered it
  return SQLITE_OK;
}

void destroy(Fts5Tokenizer*) {}

int tokenize(Fts5Tokenizer* self, void* context, int flags, const char* bytes, int size, TokenCallback callback) {
  auto& shared = *reinterpret_cast<IndexTokenizer*>(self);
  const std::string_view text(bytes != nullptr ? bytes : "", bytes != nullptr ? static_cast<size_t>(size) : 0);
  const bool is_document = (flags & FTS5_TOKENIZE_DOCUMENT) != 0;
  CallbackSink sink(context, callback, is_document ? shared.terms : nullptr, shared.texts == 0);
  if ((flags & FTS5_TOKENIZE_QUERY) != 0) return take_terms(text, sink);
  try {
    shared.tokenizer.tokenize(text, TokenForm::index, sink);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  if (is_document) {
    if (shared.texts < IndexTokenizer::columns) shared.counts[shared.texts] = sink.count();
    ++shared.texts;
  }
  return sink.code();
}

}  // namespace

Status register_tokenizer(Database& database, IndexTokenizer& shared) {
  auto* api = fts5_api_of(database);
  if (api == nullptr) return fail(ErrorCode::failed, "this SQLite has no FTS5", "install a libsqlite3 that has it");
  fts5_tokenizer functions{create, destroy, tokenize};
  if (api->xCreateTokenizer(api, "loci", &shared, &functions, nullptr) != SQLITE_OK)
    return fail(ErrorCode::failed, "SQLite refused the tokenizer");
  return {};
}

}  // namespace loci
