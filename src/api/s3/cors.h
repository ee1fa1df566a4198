#pragma once

#include <string_view>

#include "api/s3/request.h"
#include "http/message.h"

// What lets a page of another site use this service from a browser, as pages do that upload by presigned URL.
//
// Where keys are asked for, a signature is what lets somebody in, and any site may be it that has one. Where
// any credentials pass, there is nothing but the address that keeps sites out of a developer's machine: then
// only pages of that machine itself are let in.
namespace waybill::api::s3 {

// False where the request comes from a page that must not send any.
bool may_come_from(const Request& request, bool accepts_any);

void add_cors_headers(const Request& request, bool accepts_any, http::Response& response);

// The answer to OPTIONS, by which a browser asks beforehand.
http::Response preflight_answer(const Request& request, bool accepts_any);

}  // namespace waybill::api::s3
