// links: access
//
// The input is a policy of a keys file, read for a tenant. What is refused says why.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "access/policy_reader.h"
#include "base/check.h"
#include "base/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace waybill;
  json::Parser parser;
  const auto policy = parser.parse_copy(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!policy) {
    return 0;
  }
  for (const std::string_view tenant : {"", "prj_1"}) {
    const auto read = access::read_policy(*policy, tenant);
    WAYBILL_CHECK(read ? *read != nullptr : !read.error().message.empty());
  }
  return 0;
}
