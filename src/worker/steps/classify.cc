#include "worker/steps/classify.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include "worker/trouble.h"

namespace waybill::worker::steps {
namespace {

bool may_pass(int status) {
  const bool is_servers_own = status >= 500 && status != 501 && status != 505;
  return status == 408 || status == 425 || status == 429 || is_servers_own;
}

// EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_NOUSER, EX_NOHOST, EX_PROTOCOL, EX_NOPERM, EX_CONFIG; not executable,
// not found.
constexpr std::array<int64_t, 10> final_codes = {64, 65, 66, 67, 68, 76, 77, 78, 126, 127};

bool is_final(const Command& command, int64_t code) {
  if (command.final_on.contains(code)) {
    return true;
  }
  return !command.retry_on.contains(code) && std::ranges::find(final_codes, code) != final_codes.end();
}

}  // namespace

std::optional<Error> trouble_of_status(const HttpCall& call, int status) {
  const bool is_expected = call.expect.empty() ? status >= 200 && status < 300 : call.expect.contains(status);
  if (is_expected) {
    return {};
  }
  const std::string says = "the service answers with status " + std::to_string(status);
  if (may_pass(status) || call.retry_on.contains(status)) {
    return passing_trouble("STEP_HTTP_STATUS", says);
  }
  const bool is_redirect = status >= 300 && status < 400;
  return final_trouble("STEP_HTTP_STATUS", says + (is_redirect ? ", and redirects are not followed" : ""));
}

std::optional<Error> trouble_of_exit(const Command& command, int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const char* const name = ::sigabbrev_np(WTERMSIG(wait_status));
    return passing_trouble("STEP_KILLED",
                           "the command was ended by signal " + std::string(name != nullptr ? name : "?"));
  }
  const int64_t code = WEXITSTATUS(wait_status);
  if (command.expect.empty() ? code == 0 : command.expect.contains(code)) {
    return {};
  }
  const std::string says = "the command ended with exit code " + std::to_string(code);
  return is_final(command, code) ? final_trouble("STEP_EXIT_CODE", says)
                                 : passing_trouble("STEP_EXIT_CODE", says);
}

}  // namespace waybill::worker::steps
