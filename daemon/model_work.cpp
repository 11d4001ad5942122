#include "daemon/model_work.h"

namespace loci {

bool ModelWork::post_in_background(Task task) {
  if (in_background_.fetch_add(1) >= most_in_background) {
    --in_background_;
    return false;
  }
  background_.post([this, task = std::move(task)] {
    --in_background_;
    task(stop_.get_token());
  });
  return true;
}

void ModelWork::post_request(Task task) {
  requests_.post([this, task = std::move(task)] { task(stop_.get_token()); });
}

}  // namespace loci
