#include "server/publishing.h"

#include <algorithm>
#include <utility>

namespace waybill::server {

namespace {

constexpr std::size_t parked_max = 10'000;  // that are looked at

Error nothing_published() {
  return Error{ErrorKind::unavailable, "no events are told at the moment; the log says why", {}};
}

}  // namespace

Status Publishing::restart() {
  const std::lock_guard lock(mutex_);
  publishers_.reset();
  event::Publishers::Options options;
  options.tools = tools_;
  WAYBILL_TRY_ASSIGN(publishers_, event::Publishers::start(contracts_.all(), options));
  return {};
}

std::vector<event::Counts> Publishing::counts() const {
  const std::lock_guard lock(mutex_);
  if (!publishers_) {
    return {};
  }
  auto counted = publishers_->counts();
  return counted ? *std::move(counted) : std::vector<event::Counts>();
}

Result<std::vector<event::ParkedEvent>> Publishing::parked(std::string_view contract) const {
  const std::lock_guard lock(mutex_);
  if (!publishers_) {
    return nothing_published();
  }
  return publishers_->parked(contract, parked_max);
}

Result<std::size_t> Publishing::tell_again(std::string_view contract,
                                           const std::optional<std::string>& number) {
  const std::lock_guard lock(mutex_);
  if (!publishers_) {
    return nothing_published();
  }
  if (!number) {
    return publishers_->unpark_all(contract, parked_max);
  }
  WAYBILL_TRY_ASSIGN(const auto events, publishers_->parked(contract, parked_max));
  const auto found = std::ranges::find_if(events, [&](const auto& each) { return each.key.seq == *number; });
  if (found == events.end()) {
    return Error{ErrorKind::not_found,
                 "no event " + *number + " of contract " + std::string(contract) + " is parked",
                 {}};
  }
  WAYBILL_TRY(publishers_->unpark(contract, found->key));
  return std::size_t{1};
}

}  // namespace waybill::server
