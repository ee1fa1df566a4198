#pragma once

#include <string>

#include "api/s3/request.h"
#include "bucket/object_row.h"
#include "http/message.h"
#include "object/conditions.h"

// Headers that an object comes with and goes with.
namespace waybill::api::s3 {

// What the request says of the object. Error invalid where it asks for what is not here (encryption with keys
// of the request, grants to others), or its metadata is too long.
Result<bucket::Description> read_description(const Request& request);

// If-Match and its like; with `prefix` "x-amz-copy-source-" those of a copy's source.
object::Conditions read_conditions(const Request& request, std::string_view prefix = {});

// Of a GET or HEAD: ETag, Last-Modified, Content-Type and all that was kept, as far as response-* parameters
// do not say otherwise.
void add_object_headers(const Request& request, const bucket::ObjectRow& object, http::Response& response);

// x-amz-checksum-…
void add_checksum_header(const bucket::ToldChecksum& checksum, http::Response& response);

std::string etag_header(const std::string& etag);

}  // namespace waybill::api::s3
