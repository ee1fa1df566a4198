#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/client.h"
#include "object/checksum.h"
#include "object/hash.h"

namespace waybill::client {

// Whether the bytes of an object arrive as they were stored.
class ArrivalCheck {
 public:
  // Of an answer's headers: by the cheapest checksum that they tell, else the ETag where that is an MD5, else
  // by nothing but the length.
  explicit ArrivalCheck(const http::ClientAnswer& head);

  void add(std::string_view bytes);

  // Error bad_digest where all that was added is not what was stored.
  Status finish();

 private:
  std::optional<object::RunningChecksum> checksum_;
  std::optional<object::Hash> md5_;
  std::string expected_;  // as the headers have it
};

}  // namespace waybill::client
