#include "worker/photo/post.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "client/calling.h"
#include "http/amz_time.h"
#include "worker/trouble.h"

namespace waybill::worker::photo {
namespace {

constexpr int64_t connect_ms = 10'000;
constexpr int64_t pause_ms_first = 1'000;
constexpr int64_t pause_ms_max = 30'000;
constexpr int doublings_max = 5;

bool may_pass(int status) {
  return status == 408 || status == 425 || status == 429 || status >= 500;
}

// The error of an answer that is no 200.
Error trouble_of(const Asking& asking, const http::ClientAnswer& answer, ReadRefusal refusal) {
  const auto words = refusal(answer.body);
  const std::string says = asking.name + " answers with status " + std::to_string(answer.status) +
                           (words.empty() ? "" : ": " + words);
  switch (answer.status) {
    case 401:
    case 403:
      return final_trouble("PROVIDER_KEY_REFUSED", says);
    case 408:
    case 504:
      return passing_trouble("PROVIDER_TIMEOUT", says);
    case 402:
    case 429:
      return passing_trouble("PROVIDER_QUOTA", says);
    default:
      return answer.status >= 500 ? passing_trouble("PROVIDER_UNAVAILABLE", says)
                                  : final_trouble("PROVIDER_REFUSED", says);
  }
}

// What libcurl says may have the URL in it, but never a header.
Error no_answer(const Asking& asking, const Error& error, int64_t took_ms) {
  if (took_ms >= asking.answer_ms_max) {
    return passing_trouble("PROVIDER_TIMEOUT", asking.name + " did not answer within " +
                                                   std::to_string(asking.answer_ms_max / 1000) + " s");
  }
  return passing_trouble("PROVIDER_UNAVAILABLE", asking.name + " cannot be reached: " + error.message);
}

}  // namespace

int64_t retry_after_ms(const http::ClientAnswer& answer, const Clock& clock) {
  const auto text = answer.header("retry-after");
  int64_t seconds = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (problem == std::errc() && end == text.data() + text.size() && seconds >= 0) {
    return std::min<int64_t>(seconds, 3'600) * 1000;
  }
  const auto date = http::parse_http_time(text);
  return date ? std::max<int64_t>(*date * 1000 - clock.wall_ms(), 0) : 0;
}

Result<std::string> post_json(const Asking& asking, std::string body, ReadRefusal refusal,
                              const std::stop_token& stop) {
  WAYBILL_TRY_ASSIGN(const auto client,
                     http::Client::open({.connect_ms = std::min(connect_ms, asking.answer_ms_max),
                                         .answer_ms = asking.answer_ms_max}));
  http::ClientRequest request;
  request.method = "POST";
  request.url = asking.url;
  request.headers = asking.headers;
  request.headers.emplace_back("Content-Type: application/json");
  request.body = std::move(body);
  request.stop = stop;
  const int64_t end_ms = asking.clock->steady_ms() + asking.patience_ms;
  for (int failures = 1;; ++failures) {
    const int64_t begun_ms = asking.clock->steady_ms();
    auto answer = client->send(request);
    if (answer && answer->status == 200) {
      return std::move(answer->body);
    }
    auto trouble = answer ? trouble_of(asking, *answer, refusal)
                          : no_answer(asking, answer.error(), asking.clock->steady_ms() - begun_ms);
    const bool is_worth_it = !answer || may_pass(answer->status);
    const int64_t asked_ms = answer ? retry_after_ms(*answer, *asking.clock) : 0;
    const int64_t own_ms = std::min(pause_ms_first << std::min(failures - 1, doublings_max), pause_ms_max);
    const int64_t pause_ms = asked_ms > 0 ? asked_ms : own_ms;
    if (!is_worth_it || asking.clock->steady_ms() + pause_ms > end_ms ||
        !client::sleep_unless_stopped(pause_ms, stop)) {
      return trouble;
    }
  }
}

}  // namespace waybill::worker::photo
