// One thing that a person or an agent can ask of a memory, described once. The surfaces (command line, HTTP, MCP) are made from the
// table of them: what it takes, who may do it, what it answers and the function that does it.
//
// A function runs on the thread of its memory. It may be called by a process with or without a daemon.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "memory/authority.h"
#include "memory/memory.h"
#include "operations/known_recalls.h"
#include "operations/parameter.h"
#include "operations/shape.h"
#include "operations/values.h"
#include "recall/similar_texts.h"

namespace loci {

// What an operation needs of the process around it. Outlives every call.
struct Surroundings {
  // Of a daemon: its status shape with what it knows of itself, and a wait until what was saved before can be found.
  std::function<Result<Json>(Memory& memory)> status = {};
  std::function<Status(std::chrono::milliseconds patience)> wait_until_searchable = {};
  KnownRecalls recalls = {};
  // What vectors say of a question (embeddings/embedder.h); null, or none, where they say nothing.
  std::function<std::shared_ptr<SimilarTexts>(const Memory& memory, const std::string& question)> similar = {};
};

struct Answer {
  Json body;
  bool created = false;  // something new stands there
  std::string etag;      // of the entry that the answer is about; may be empty
};

struct OperationCall {
  Memory& memory;
  const Values& values;
  Actor actor;
  Surroundings& around;
  const ProgressCallback& progress;  // of what takes long: an index that has to be built first
};

struct MemoryOperation {
  enum class Effect : std::uint8_t {
    reads,    // changes nothing
    adds,     // takes nothing away
    changes,  // what was there may be replaced or removed
  };

  std::string_view name;          // "search"
  std::string_view method, path;  // of its HTTP route; "{id}" stands for the value of `id`
  std::string_view tool, title;   // of its MCP tool; empty: none
  std::string_view summary;       // what it does and when to use it, for a model and the manual
  std::span<const Parameter> parameters;
  Shape shape;
  Effect effect = Effect::reads;
  bool only_person = false;
  bool takes_body = false;     // POST of its path is the same, with what it takes as JSON
  bool may_take_long = false;  // keeps nobody else waiting meanwhile
  Result<Answer> (*run)(const OperationCall& call) = nullptr;
};

// Checks what was given and who asks, and runs it. ErrorCode::refused for an agent where only a person may.
Result<Answer> call_operation(const MemoryOperation& operation, Memory& memory, const Json& given, Actor actor,
                              Surroundings& around, const ProgressCallback& progress = {});

}  // namespace loci
