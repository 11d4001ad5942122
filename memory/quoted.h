// Whether a quote from the user's stored turns proves that what an agent says is the user's word (words/whose_words.h). One thread.
#pragma once

#include <string>

#include "memory/memory.h"

namespace loci {

struct Quote {
  std::string text, session;  // copied from what the user said in that conversation
};

// `correction` or `user` if it does, else `agent`; `corrected` is the entry whose place the text takes, or null.
Result<Source> source_by_quote(Memory& memory, const std::string& text, const Quote& quote, const Entry* corrected);

}  // namespace loci
