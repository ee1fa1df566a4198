#include "server/publishing.h"

#include <utility>

namespace waybill::server {

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

}  // namespace waybill::server
