// A child of the studio, for its tests. Without arguments it is a real one; the others misbehave.
#include "media/child.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

// LeakSanitizer looks into its own process by ptrace, which the sandbox forbids.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0";
}

namespace {

// Says that it is ready, waits for a task, and returns its line.
std::string wait_for_task() {
  std::string line;
  std::getline(std::cin, line);
  std::cout << R"({"result":{}})" << std::endl;
  if (!std::getline(std::cin, line)) {
    std::exit(0);
  }
  return line;
}

// Writes a part as a real child would, so that there is something to be cleaned up.
void begin_output(const std::string& line, std::string_view name) {
  const auto value = [&line](std::string_view member) {
    const std::string key = "\"" + std::string(member) + "\":\"";
    const auto begin = line.find(key) + key.size();
    return line.substr(begin, line.find('"', begin) - begin);
  };
  std::ofstream(value(name) + value("part")) << "half";
}

int misbehave(std::string_view how) {
  if (how == "not-ready") {
    return 3;
  }
  if (how == "silent") {
    ::pause();
  }
  const std::string task = wait_for_task();
  if (how == "hang") {
    begin_output(task, "image");
    ::pause();
  }
  if (how == "crash") {
    begin_output(task, "image");
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
  }
  if (how == "between") {
    begin_output(task, "thumbnail");
    ::raise(SIGKILL);
  }
  if (how == "burn") {
    const rlimit limit{1, RLIM_INFINITY};
    ::setrlimit(RLIMIT_CPU, &limit);
    for (volatile unsigned i = 0;; i = i + 1) {
    }
  }
  if (how == "babble") {
    std::cout << "what?" << std::endl;
    ::pause();
  }
  if (how == "flood") {
    std::cout << std::string(1 << 20, 'x') << std::endl;
    ::pause();
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  return argc > 1 ? misbehave(argv[1]) : waybill::media::child_main();
}
