#pragma once

#include <atomic>
#include <string>

#include "api/dynamodb/service.h"
#include "api/jobs/service.h"
#include "api/s3/service.h"
#include "api/sqs/service.h"
#include "http/message.h"
#include "http/responder.h"
#include "server/metrics_page.h"

namespace waybill::server {

// Sends each request to the part of the house it is for:
//
//   /objects/…   S3; and at any other path where the credential is for it
//   /v1/…        the jobs API
//   POST /       the AWS protocols; those of SQS at any other path, and with GET as well
//   GET /        what the service's own address answers to a health check
//   GET /health  {"status":"ready"}; 503 once the server is stopping
//   GET /metrics what the server counts, for Prometheus
//   the rest     404
//
// Thread safety: handle() may be called from any thread.
class Routes {
 public:
  struct Services {
    const api::dynamodb::Service& dynamodb;
    const api::sqs::Service& sqs;
    const api::jobs::Service& jobs;
    const api::s3::Service& s3;
  };

  Routes(const Services& services, const MetricsPage& metrics, std::string region)
      : services_(services), metrics_(metrics), region_(std::move(region)) {}

  void handle(const http::Request& request, http::Responder responder) const;

  // See http::UploadOpener: bodies that become contents of objects are taken as they come.
  http::Opening open_upload(const http::Request& request, const http::UploadGate& gate) const;

  // From now on /health tells load balancers to look elsewhere.
  void begin_stop() { stopping_ = true; }

 private:
  http::Response answer(const http::Request& request) const;

  const Services services_;
  const MetricsPage& metrics_;
  std::string region_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace waybill::server
