#include "tokens/splitter.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <mutex>
#include <string>

#include "tokens/stand_ins.h"

namespace loci {
namespace {

// White space as Rust's regex has it. PCRE2's own \s lacks what is not ASCII, or with UCP has U+180E.
#define WHITE "\\t-\\r \\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}"
#define CASELESS "\\p{Lm}\\p{Lo}\\p{M}"
#define SHORTENED "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"

// clang-format off: one alternative, or what belongs together, a line
// \z, because $ also matches before a last line end.
constexpr std::string_view cl100k_base =
    "'(?i:[sdmt]|ll|ve|re)"
    "|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++"
    "|\\p{N}{1,3}+"
    "| ?[^" WHITE "\\p{L}\\p{N}]++[\\r\\n]*+"
    "|[" WHITE "]++\\z|[" WHITE "]*[\\r\\n]|[" WHITE "]+(?![^" WHITE "])|[" WHITE "]";
constexpr std::string_view o200k_base =
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}" CASELESS "]*[\\p{Ll}" CASELESS "]+" SHORTENED
    "|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}" CASELESS "]+[\\p{Ll}" CASELESS "]*" SHORTENED
    "|\\p{N}{1,3}"
    "| ?[^" WHITE "\\p{L}\\p{N}]+[\\r\\n/]*"
    "|[" WHITE "]*[\\r\\n]+|[" WHITE "]+(?![^" WHITE "])|[" WHITE "]+";
// clang-format on

#undef WHITE
#undef CASELESS
#undef SHORTENED

// Compiling to machine code takes longer than it saves on a text that is shorter.
constexpr size_t worth_machine_code = size_t{64} << 10;

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
using Code = std::unique_ptr<pcre2_code, FreeCode>;
struct FreeMatch {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};
using Match = std::unique_ptr<pcre2_match_data, FreeMatch>;

Code compile(std::string_view pattern) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  return Code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), PCRE2_UTF, &error, &offset, nullptr));
}

}  // namespace

struct Splitter::Patterns {
  std::string_view pattern;
  Code interpreted;
  std::once_flag machine_code_once;
  Code machine_code;  // null where this machine has none

  const pcre2_code* code_for(size_t size) {
    if (size < worth_machine_code) return interpreted.get();
    std::call_once(machine_code_once, [&] {
      machine_code = compile(pattern);
      if (machine_code && pcre2_jit_compile(machine_code.get(), PCRE2_JIT_COMPLETE) != 0) machine_code.reset();
    });
    return machine_code ? machine_code.get() : interpreted.get();
  }
};

Splitter::Splitter(Encoding encoding) : patterns_(std::make_unique<Patterns>()) {
  patterns_->pattern = encoding == Encoding::o200k_base ? o200k_base : cl100k_base;
  patterns_->interpreted = compile(patterns_->pattern);
}

Splitter::~Splitter() = default;

const Splitter* Splitter::of(Encoding encoding) {
  const auto usable = [](const Splitter& splitter) { return splitter.patterns_->interpreted ? &splitter : nullptr; };
  if (encoding == Encoding::o200k_base) {
    static const Splitter splitter(Encoding::o200k_base);
    return usable(splitter);
  }
  static const Splitter splitter(Encoding::cl100k_base);
  return usable(splitter);
}

bool Splitter::split(std::string_view text, const std::function<void(std::string_view)>& visit) const {
  thread_local const Match match(pcre2_match_data_create(1, nullptr));
  const pcre2_code* code = patterns_->code_for(text.size());
  const PCRE2_SIZE* found = pcre2_get_ovector_pointer(match.get());
  std::string stood_in;
  const std::string_view subject = put_stand_ins(text, stood_in) ? std::string_view(stood_in) : text;
  const auto* begin = reinterpret_cast<PCRE2_SPTR>(subject.data());
  for (size_t position = 0; position < text.size(); position = found[1]) {
    if (pcre2_match(code, begin, text.size(), position, PCRE2_NO_UTF_CHECK, match.get(), nullptr) < 0) return false;
    if (found[0] != position || found[1] == position) return false;
    visit(text.substr(position, found[1] - position));
  }
  return true;
}

}  // namespace loci
