// Going on after an agent's hook has answered, and keeping a hook from making its agent wait.
#pragma once

#include <chrono>
#include <functional>

namespace loci {

// When the time is over, whoever waits for this process sees it end with status 0, having printed nothing more; what it is doing
// then goes on in a process of its own, which still reads standard input and says nothing. Once a process, which has one thread.
// That process has another thread id: a lock that one thread may take twice must not be held when the time is over
// (initialize_sqlite()).
void end_silently_after(std::chrono::milliseconds length);
void cancel_silent_end();

// Runs `work` in a process of its own, without the standard streams and every other descriptor of this one, and returns at once.
// Only for a process of one thread. What cannot be started is not run.
void run_in_background(const std::function<void()>& work);

}  // namespace loci
