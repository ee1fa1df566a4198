#include "load/target.h"

#include <charconv>
#include <utility>

namespace waybill::load {
namespace {

constexpr std::string_view user_parameter = "?user=";

// Takes what comes before the first of `ends` off the front of `text`.
std::string_view take_until(std::string_view& text, std::string_view ends) {
  const auto taken = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(taken.size());
  return taken;
}

bool parse_port(std::string_view digits, uint16_t& port) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  return error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

Result<Target> parse_target(std::string_view url) {
  const auto expected = invalid(
      "--target takes http://HOST:PORT, sqs://HOST:PORT, jobs://HOST:PORT or "
      "postgres://HOST:PORT/DATABASE?user=NAME; got '" +
      std::string(url) + "'");
  Target target;
  target.url = url;
  const auto scheme_end = url.find("://");
  if (scheme_end == url.npos) {
    return expected;
  }
  const auto scheme = url.substr(0, scheme_end);
  auto rest = url.substr(scheme_end + 3);
  target.host = take_until(rest, ":");
  rest.remove_prefix(rest.empty() ? 0 : 1);
  if (target.host.empty() || !parse_port(take_until(rest, "/"), target.port)) {
    return expected;
  }
  rest.remove_prefix(rest.empty() ? 0 : 1);
  constexpr std::pair<std::string_view, Protocol> schemes[] = {
      {"http", Protocol::dynamodb}, {"sqs", Protocol::sqs}, {"jobs", Protocol::jobs}};
  for (const auto& [name, protocol] : schemes) {
    if (scheme == name && rest.empty()) {
      target.protocol = protocol;
      return target;
    }
  }
  target.protocol = Protocol::postgres;
  target.database = take_until(rest, "?");
  if (rest.starts_with(user_parameter)) {
    target.user = rest.substr(user_parameter.size());
  }
  return scheme.starts_with("postgres") && !target.database.empty() ? Result<Target>(target) : expected;
}

}  // namespace waybill::load
