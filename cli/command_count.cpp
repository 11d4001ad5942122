#include "cli/command.h"
#include "cli/standard_input.h"
#include "memory/json_shapes.h"
#include "tokens/token_counter.h"

namespace loci::cli {
namespace {

constexpr OptionSpec count_options[] = {
    {"--encoding", "NAME", ValueKind::encoding, "whose tokens (else cl100k_base)"},
    {"--jsonl", "", ValueKind::none, "read {\"text\"} a line, print {\"tokens\",\"exact\"} a line"},
};

constexpr size_t longest_text = size_t{256} << 20, longest_line = size_t{32} << 20;  // bytes

Json count_to_json(const TokenCount& count) {
  Json value = Json::object();
  value.add_unchecked("tokens", count.tokens);
  value.add_unchecked("exact", count.exact);
  return value;
}

Result<std::string> text_of(const InputLine& line) {
  const std::string where = "line " + std::to_string(line.number);
  if (line.too_long) return fail(ErrorCode::usage, where + " is too long");
  const auto value = parse_json(line.text, {.bytes = longest_line});
  if (!value || !value->string_at("text")) return fail(ErrorCode::usage, where + R"( is not {"text":"…"})");
  return value->text_at("text");
}

Status count_lines(Invocation& invocation, const TokenCounter& counter) {
  Status status;
  TRY(read_lines(longest_line, [&](const InputLine& line) {
    const auto text = text_of(line);
    if (!text) status = std::unexpected(text.error());
    if (text) invocation.out.value(count_to_json(counter.count(*text)));
    return status.has_value();
  }));
  return status;
}

Result<int> run_count(Invocation& invocation) {
  const std::string name = invocation.arguments.text("--encoding");
  const auto encoding = encoding_from(name.empty() ? "cl100k_base" : name);
  if (!encoding) return fail(ErrorCode::usage, "'" + name + "' is no encoding that is known", "it is cl100k_base or o200k_base");
  const TokenCounter counter(*encoding);
  if (invocation.arguments.has("--jsonl")) {
    TRY(count_lines(invocation, counter));
    return 0;
  }
  const TokenCount count = counter.count(TRY(read_standard_input(longest_text)));
  Output& out = invocation.out;
  if (out.json()) {
    Json value = versioned();
    value.add_unchecked("tokens", count.tokens);
    value.add_unchecked("exact", count.exact);
    out.value(value);
    return 0;
  }
  out.line(std::to_string(count.tokens));
  if (!count.exact) out.note("this is an estimate: the table of the encoding is missing");
  return 0;
}

}  // namespace

constinit const Command count_command = {"count",
                                         "Count the tokens of a text on standard input",
                                         "Exactly as the models do that use the encoding. Touches no vault.",
                                         {},
                                         count_options,
                                         run_count};

}  // namespace loci::cli
