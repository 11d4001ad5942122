// Are the settings that a daemon goes by those that the files hold? Asked before anything is answered, or sent to a model: what
// somebody has just forbidden must not be in it. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/synchronized.h"
#include "model/embedding_model.h"
#include "model/language_model.h"

namespace loci {

class SettingsInUse {
 public:
  // `state` tells the files as they are from others. `changed` is told once of every state that is another than what was read.
  SettingsInUse(std::string as_read, std::function<std::string()> state, std::function<void()> changed)
      : state_(std::move(state)), changed_(std::move(changed)), known_(Known{.read = as_read, .seen = as_read}) {}

  // False from the moment at which a file changes until its settings are taken over, or known to be no good.
  bool are_newest();
  // The files are about to be read again.
  void begin_taking_over();
  // What was read is no good: those in use stay in use.
  void keep();

 private:
  struct Known {
    std::string read, seen;
    bool being_taken_over = false;
  };

  const std::function<std::string()> state_;
  const std::function<void()> changed_;
  Synchronized<Known> known_;
};

// The same models; a question waits while newer settings are about to be taken over. `settings` outlives them. Null stays null.
std::unique_ptr<LanguageModel> asked_by_newest(SettingsInUse& settings, std::unique_ptr<LanguageModel> model);
std::unique_ptr<EmbeddingModel> asked_by_newest(SettingsInUse& settings, std::unique_ptr<EmbeddingModel> model);

}  // namespace loci
