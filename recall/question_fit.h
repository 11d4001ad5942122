// How an entry fits what a question asks beside its words: who said it, what is in it, and when it was. Pure.
#pragma once

#include "recall/ranking_plan.h"

namespace loci {

double role_of(const EntryColumns& columns, const QuestionCues& cues);
double time_of(const EntryColumns& columns, const RankingPlan& plan);

}  // namespace loci
