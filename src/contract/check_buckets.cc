// The part of the check that looks at buckets.
#include <algorithm>

#include "contract/check_parts.h"
#include "contract/publication.h"
#include "contract/section.h"

namespace waybill::contract {

namespace {

std::string described(const Bucket& bucket) {
  return joined({"the bucket \"", written(bucket.name), "\""});
}

void check_parameters(const Contract& contract, const Bucket& bucket, Findings& findings) {
  std::vector<std::string> known;
  known.reserve(contract.parameters.size());
  for (const auto& parameter : contract.parameters) {
    known.push_back(parameter.name);
  }
  for (const auto& name : bucket.name.fields()) {
    if (std::ranges::find(known, name) == known.end()) {
      const std::string meant = nearest(name, known);
      findings.error(bucket.place,
                     joined({described(bucket), " has {", name, "} in its name, which is no parameter"}),
                     meant.empty() ? joined({"add ", name, " to the parameters"})
                                   : joined({"did you mean {", meant, "}?"}));
    }
  }
}

// As far as it can be told before parameters have their values.
void check_name(const Bucket& bucket, Findings& findings) {
  constexpr std::size_t length_min = 3;
  constexpr std::size_t length_max = 63;
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  const bool has_only_allowed = std::ranges::all_of(bucket.name.parts(), [&](const TextTemplate::Part& part) {
    return part.is_field || std::ranges::all_of(part.text, is_allowed);
  });
  const std::string name = written(bucket.name);
  const bool has_length =
      !bucket.name.is_literal() || (name.size() >= length_min && name.size() <= length_max);
  if (!has_only_allowed || !has_length) {
    findings.error(bucket.place, joined({described(bucket), " has a name that no bucket can have"}),
                   "use 3 to 63 lower-case letters, digits, hyphens and dots");
  }
}

}  // namespace

void check_buckets(const Contract& contract, Findings& findings) {
  for (const auto& bucket : contract.buckets) {
    check_parameters(contract, bucket, findings);
    check_name(bucket, findings);
  }
}

}  // namespace waybill::contract
