// links: contract
//
// The input is a contract's file: read and checked; where it is sound, drawn, and compared with itself.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "contract/check.h"
#include "contract/compare.h"
#include "contract/picture.h"
#include "contract/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace waybill::contract;
  constexpr std::size_t size_max = 64 * 1024;
  if (size > size_max) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data), size);
  Problems problems;
  const auto contract = read_contract(text, problems);
  WAYBILL_CHECK(contract || !problems.empty());
  if (!contract) {
    return 0;
  }
  const auto found = check(*contract);
  problems.insert(problems.end(), found.begin(), found.end());
  const bool is_sound = std::ranges::none_of(
      problems, [](const Problem& problem) { return problem.weight == Problem::Weight::error; });
  if (!is_sound) {
    return 0;
  }
  for (const auto& record : contract->records) {
    (void)machine_text(record);
    (void)machine_svg(record);
  }
  WAYBILL_CHECK(compare(*contract, *contract).empty());
  return 0;
}
