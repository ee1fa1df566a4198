#include "load/aws_requests.h"

#include <charconv>
#include <cstring>
#include <ctime>

#include "base/check.h"

namespace waybill::load {
namespace {

// Bodies are written behind this much free room, so that the head, which tells their size, can be put before
// them without moving them.
constexpr std::size_t head_room = 1024;

std::string time_text(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof(text), format, &parts)};
}

// Servers under load don't verify signatures, but they may well take the header apart.
std::string authorization(std::string_view service) {
  return "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/" + time_text("%Y%m%d") + "/us-east-1/" +
         std::string(service) +
         "/aws4_request, "
         "SignedHeaders=content-length;content-type;host;x-amz-date;x-amz-target, "
         "Signature=3f2a9c17d04b8e65a1c3f7820b9d5e4466f08a7d2c1be9f35d7a60b84e92c1d7";
}

}  // namespace

AwsRequests::AwsRequests(const Target& target, const AwsService& service) {
  head_start_ = "POST / HTTP/1.1\r\nHost: " + target.host + ":" + std::to_string(target.port) +
                "\r\nX-Amz-Target: " + std::string(service.target_prefix);
  head_middle_ =
      "\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Date: " + time_text("%Y%m%dT%H%M%SZ") +
      "\r\nAuthorization: " + authorization(service.name) +
      "\r\nUser-Agent: aws-sdk-js/3.901.0 ua/2.1 os/linux#6.1 lang/js md/nodejs#22.12.0 api/" +
      std::string(service.name) + "#3.901.0\r\nContent-Length: ";
}

OutBuffer& AwsRequests::begin() {
  out_.clear();
  return out_.skip(head_room);
}

std::string_view AwsRequests::finish(std::string_view operation) {
  const auto body_bytes = out_.size() - head_room;
  char digits[20];
  const auto* const digits_end = std::to_chars(digits, digits + sizeof(digits), body_bytes).ptr;
  const std::string_view parts[] = {head_start_, operation, head_middle_,
                                    std::string_view(digits, static_cast<std::size_t>(digits_end - digits)),
                                    "\r\n\r\n"};
  std::size_t head_bytes = 0;
  for (const auto& part : parts) {
    head_bytes += part.size();
  }
  WAYBILL_CHECK(head_bytes <= head_room);
  auto at = head_room - head_bytes;
  const auto start = at;
  for (const auto& part : parts) {
    std::memcpy(out_.data() + at, part.data(), part.size());
    at += part.size();
  }
  return out_.view().substr(start);
}

Result<AwsRequests::Reply> AwsRequests::call(const Socket& socket, std::string_view operation,
                                             std::string_view body) {
  begin().add(body);
  WAYBILL_TRY(socket.send_all(finish(operation)));
  std::string received;
  while (true) {
    WAYBILL_TRY(socket.receive(received));
    WAYBILL_TRY_ASSIGN(const auto frame, read(received));
    if (frame.bytes != 0) {
      return Reply{frame.status, std::string(frame.body)};
    }
  }
}

}  // namespace waybill::load
