#include "load/samples.h"

#include <iostream>

#include "base/json.h"
#include "load/check.h"

namespace waybill::load {
namespace {

constexpr std::size_t bytes_max = 64 << 20;

}  // namespace

Samples::Samples(Dialect& dialect, const ItemStates& states) : dialect_(dialect), states_(states) {
  bytes_.reserve(bytes_max + json::padding_bytes);
}

void Samples::add(const Request& request, std::string_view body) {
  if (bytes_.size() + body.size() > bytes_max) {
    check_all();
  }
  samples_.push_back({request, bytes_.size(), body.size()});
  bytes_.insert(bytes_.end(), body.begin(), body.end());
}

void Samples::check_all() {
  bytes_.resize(bytes_.size() + json::padding_bytes);
  for (const auto& sample : samples_) {
    check(sample.request, {bytes_.data() + sample.at, sample.bytes});
  }
  samples_.clear();
  bytes_.clear();
}

void Samples::check(const Request& request, std::string_view body) {
  ++checked_;
  const auto status = check_answer(dialect_, states_, request, body);
  if (status) {
    return;
  }
  if (++wrong_ == 1) {
    std::cerr << "wrong answer to " << name_of(request.operation) << ": " << status.error().message
              << "\n  answer: " << excerpt(body) << "\n";
  }
}

}  // namespace waybill::load
