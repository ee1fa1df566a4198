#include "load/self_test.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/json.h"
#include "load/connection.h"
#include "load/histogram.h"
#include "load/job_json.h"
#include "load/message.h"
#include "load/random.h"

namespace waybill::load {
namespace {

constexpr Population population = {1'000'000, 50'000};
constexpr uint64_t tried_ids = 200'000;

// DynamoDB's own count of an attribute value.
std::size_t value_bytes(const json::Value& typed) {
  json::Members members(typed);
  members.next();
  const auto& value = members.value();
  if (members.key() == "S") {
    return value.string().size();
  }
  if (members.key() == "N") {
    auto digits = value.string();
    const bool fraction = digits.starts_with("0.");
    digits.remove_prefix(fraction ? 2 : 0);
    return (digits.size() + 1) / 2 + 1;
  }
  std::size_t bytes = 3;
  if (members.key() == "M") {
    json::Members inner(value);
    while (inner.next()) {
      bytes += 1 + inner.key().size() + value_bytes(inner.value());
    }
  } else {
    json::Elements inner(value);
    while (inner.next()) {
      bytes += 1 + value_bytes(inner.value());
    }
  }
  return bytes;
}

std::size_t item_bytes(const json::Value& item) {
  std::size_t bytes = 0;
  json::Members members(item);
  while (members.next()) {
    bytes += members.key().size() + value_bytes(members.value());
  }
  return bytes;
}

bool sizes_hold() {
  json::Parser parser;
  OutBuffer out;
  std::size_t smallest = SIZE_MAX;
  std::size_t largest = 0;
  std::size_t json_bytes = 0;
  for (uint64_t n = 0; n < tried_ids; ++n) {
    const auto id = n * 7;
    Job job;
    make_job(population, id, job);
    out.clear();
    add_item_json(out, job, first_status(id), first_updated_at_ms(job));
    const auto item = parser.parse_copy(out.view());
    if (!item || id_of(job.job_id.view()) != id) {
      std::cerr << "item " << id << " is no JSON, or its jobId does not lead back to it\n";
      return false;
    }
    smallest = std::min(smallest, item_bytes(*item));
    largest = std::max(largest, item_bytes(*item));
    json_bytes += out.size();
  }
  std::cerr << "item bytes by DynamoDB's count: " << smallest << " to " << largest << "; JSON "
            << json_bytes / tried_ids << "\n";
  return smallest >= 1000 && largest <= 1050;
}

bool writing_is_cheap() {
  OutBuffer out;
  const auto start_ns = now_ns();
  for (uint64_t id = 0; id < tried_ids; ++id) {
    Job job;
    make_job(population, id, job);
    out.clear();
    add_item_json(out, job, JobStatus::queued, job.created_at_ms);
  }
  const auto each_ns = (now_ns() - start_ns) / static_cast<int64_t>(tried_ids);
  std::cerr << "writing an item: " << each_ns << " ns\n";
  return each_ns < 1000;
}

bool quantiles_hold() {
  Histogram histogram;
  constexpr int64_t largest = 1'000'000;
  for (int64_t value = 1; value <= largest; ++value) {
    histogram.add(value);
  }
  for (const double share : {0.5, 0.9, 0.99, 0.999}) {
    const auto exact = share * largest;
    if (std::abs(static_cast<double>(histogram.quantile_ns(share)) - exact) > exact / 100) {
      std::cerr << "quantile " << share << " is " << histogram.quantile_ns(share) << ", not " << exact
                << "\n";
      return false;
    }
  }
  return histogram.max_ns() == largest && histogram.quantile_ns(1) == largest;
}

// Texts have their size, lead back to their number, and one changed letter is noticed.
bool messages_hold() {
  for (const std::size_t bytes : {message_bytes_min, std::size_t{1024}, message_bytes_max}) {
    for (uint64_t number = 0; number < 1000; ++number) {
      OutBuffer text;
      add_message_text(text, number * 999'983, bytes);
      const bool right = text.size() == bytes && message_number_of(text.view()) == number * 999'983 &&
                         check_message_text(text.view());
      text.data()[bytes - 1] ^= 1;
      if (!right || check_message_text(text.view())) {
        std::cerr << "message " << number << " of " << bytes << " bytes is not what it must be\n";
        return false;
      }
    }
  }
  // The digest that SQS's own documents give for this text.
  return md5_of("This is a test message") == "fafb00f5732ab283681e124bf8747ed1";
}

}  // namespace

bool self_test() {
  const bool messages = messages_hold();
  const bool sizes = sizes_hold();
  const bool cheap = writing_is_cheap();
  const bool quantiles = quantiles_hold();
  std::cerr << (messages && sizes && cheap && quantiles ? "all well\n" : "not all well\n");
  return messages && sizes && cheap && quantiles;
}

}  // namespace waybill::load
