#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "http/client.h"

namespace waybill::worker::photo {

// How a provider is asked. Plain data.
struct Asking {
  std::string name;  // in messages: "Gemini"
  std::string url;
  std::vector<std::string> headers;  // with the key; never shown to anybody
  int64_t answer_ms_max = 90'000;    // for one answer
  int64_t patience_ms = 180'000;     // for all attempts together
  const Clock* clock = nullptr;
};

// Posts JSON and returns the body of a 200. Tried again after 408, 429 and the provider's own troubles, when
// it says (Retry-After) or after a while that doubles. `refusal` turns the body of another status into one
// line for people; "" where it tells nothing. Errors are those of provider.h.
using ReadRefusal = std::string (*)(std::string_view body);
Result<std::string> post_json(const Asking& asking, std::string body, ReadRefusal refusal,
                              const std::stop_token& stop);

// How long an answer asks to wait; 0 where it does not say. Retry-After in seconds or as a date.
int64_t retry_after_ms(const http::ClientAnswer& answer, const Clock& clock);

}  // namespace waybill::worker::photo
