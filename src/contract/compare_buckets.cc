// The part of the comparison that looks at buckets. Objects that are there stay as they are, whatever
// changes.
#include <algorithm>

#include "contract/byte_size.h"
#include "contract/compare_parts.h"
#include "contract/duration.h"
#include "contract/publication.h"

namespace waybill::contract {

namespace {

const Bucket* find_bucket(const Contract& contract, const TextTemplate& name) {
  const auto found = std::ranges::find(contract.buckets, name, &Bucket::name);
  return found == contract.buckets.end() ? nullptr : &*found;
}

std::string described(const Bucket& bucket) {
  return joined({"the bucket \"", written(bucket.name), "\""});
}

void compare_one(const Bucket& before, const Bucket& after, Differences& found) {
  if (before.bytes_max != after.bytes_max) {
    found.safe(joined({described(after), " takes objects of ",
                       after.bytes_max ? "up to " + byte_size_text(*after.bytes_max) : "any size"}),
               "those that are there stay");
  }
  if (before.types != after.types) {
    found.safe(joined({described(after), " takes objects of other types"}), "those that are there stay");
  }
  if (before.expires_s != after.expires_s) {
    found.safe(joined({described(after), " keeps objects ",
                       after.expires_s ? "for " + duration_text(*after.expires_s) : "for ever"}),
               "those that are there keep the time they have");
  }
}

}  // namespace

void compare_buckets(const Contract& before, const Contract& after, Differences& found) {
  for (const auto& bucket : after.buckets) {
    if (const Bucket* const old = find_bucket(before, bucket.name)) {
      compare_one(*old, bucket, found);
    } else {
      found.safe(joined({described(bucket), " is new"}), "it is made where it is not there");
    }
  }
  for (const auto& bucket : before.buckets) {
    if (find_bucket(after, bucket.name) == nullptr) {
      found.safe(joined({described(bucket), " is gone from the contract"}),
                 "the bucket and its objects stay, with the limits they had");
    }
  }
}

}  // namespace waybill::contract
