// links: worker
// Answers of servers and providers may be anything: they are read, or refused with a reason.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "client/job.h"
#include "client/jobs_client.h"
#include "client/served.h"
#include "worker/photo/gemini_provider.h"
#include "worker/photo/seedream_provider.h"
#include "worker/task.h"

using namespace waybill;

namespace {

template <typename T>
void check_reason(const Result<T>& result) {
  WAYBILL_CHECK(result || !result.error().message.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_reason(client::read_served(bytes));
  check_reason(worker::photo::read_gemini_analysis(bytes));
  check_reason(worker::photo::read_gemini_image(bytes));
  check_reason(worker::photo::read_seedream_image(bytes));
  WAYBILL_CHECK(!client::read_problem(500, bytes).message.empty());
  const auto job = client::Job::read("/v1/c/r", bytes);
  check_reason(job);
  if (job && *job) {
    worker::filled_in("{a}/{b}{", (*job)->record());
  }
  return 0;
}
