#pragma once

#include <atomic>
#include <string>

#include "alarm/alarms.h"
#include "base/clock.h"
#include "http/message.h"
#include "http/responder.h"
#include "http/server.h"
#include "rules/contracts.h"
#include "server/metrics.h"
#include "server/metrics_access.h"
#include "server/publishing.h"
#include "store/store.h"

namespace waybill::server {

// Answers GET /metrics.
//
// Thread safety: every method may be called from any thread.
class MetricsPage {
 public:
  MetricsPage(store::Store& store, const Clock& clock, MetricsAccess access, std::string version);

  void handle(const http::Request& request, http::Responder responder) const;

  // Whose connections are counted from now on. Outlives the last request.
  void set_http(const http::Server& http) { http_ = &http; }
  // Whose alarms are told from now on. Outlives the last request.
  void set_alarms(const alarm::Alarms* alarms) { alarms_ = alarms; }
  // Whose records are counted from now on. Outlives the last request.
  void set_contracts(const rules::Contracts& contracts) { contracts_ = &contracts; }
  // Whose events are counted from now on. Outlives the last request.
  void set_publishing(const Publishing& publishing) { publishing_ = &publishing; }

 private:
  MetricsSample sample() const;
  void add_records(MetricsSample& sample) const;

  store::Store& store_;
  const Clock& clock_;
  const MetricsAccess access_;
  const std::string version_;
  const int64_t started_ms_;
  std::atomic<const http::Server*> http_ = nullptr;
  std::atomic<const alarm::Alarms*> alarms_ = nullptr;
  std::atomic<const rules::Contracts*> contracts_ = nullptr;
  std::atomic<const Publishing*> publishing_ = nullptr;
};

}  // namespace waybill::server
