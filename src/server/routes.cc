#include "server/routes.h"

#include <utility>

namespace waybill::server {
namespace {

http::Response json_response(int status, std::string body) {
  http::Response response;
  response.status = status;
  response.content_type = "application/json";
  response.body = std::move(body);
  return response;
}

bool is_read(const http::Request& request) {
  return request.method == "GET" || request.method == "HEAD";
}

}  // namespace

http::Response Routes::answer(const http::Request& request) const {
  if (is_read(request) && request.path == "/health") {
    return stopping_ ? json_response(503, R"({"status":"stopping"})")
                     : json_response(200, R"({"status":"ready"})");
  }
  if (is_read(request) && request.path == "/") {
    http::Response response;
    response.content_type = "text/plain";
    response.body = "healthy: dynamodb." + region_ + ".amazonaws.com ";
    response.amz_crc32 = true;
    return response;
  }
  return json_response(404, R"({"message":"There is nothing at this path. AWS clients send POST /."})");
}

http::Opening Routes::open_upload(const http::Request& request, const http::UploadGate& gate) const {
  return api::s3::Service::is_for(request) ? services_.s3.open_upload(request, gate) : http::Opening();
}

void Routes::handle(const http::Request& request, http::Responder responder) const {
  if (api::s3::Service::is_for(request)) {
    services_.s3.handle(request, std::move(responder));
    return;
  }
  if (api::jobs::Service::is_for(request)) {
    services_.jobs.handle(request, std::move(responder));
    return;
  }
  if (api::sqs::Service::is_for(request)) {
    services_.sqs.handle(request, std::move(responder));
    return;
  }
  if (request.method == "POST" && request.path == "/") {
    services_.dynamodb.handle(request, std::move(responder));
    return;
  }
  if (is_read(request) && request.path == "/metrics") {
    metrics_.handle(request, std::move(responder));
    return;
  }
  responder.send(answer(request));
}

}  // namespace waybill::server
