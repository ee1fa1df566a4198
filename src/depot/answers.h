#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/client.h"

// What a server that speaks S3 answers. Pure: text in, values out.
namespace waybill::depot {

// The texts of all elements of that name, unescaped, in their order. For answers whose elements of a name all
// mean the same, which need no tree.
std::vector<std::string> texts_of(std::string_view xml, std::string_view name);
// Of the first; "" where there is none.
std::string text_of(std::string_view xml, std::string_view name);

// What stands in an element of that name, with all that is inside; it may come several times.
std::vector<std::string_view> elements_of(std::string_view xml, std::string_view name);

// Of Content-Range: "bytes 0-9/100".
struct ContentRange {
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t object_bytes = 0;

  bool operator==(const ContentRange&) const = default;
};
std::optional<ContentRange> read_content_range(std::string_view header);

bool is_success(const http::ClientAnswer& answer);

// The code of an error, "NoSuchKey": also of one that comes with status 200, as it may where the server has
// begun its answer before its work was done. "" where there is none.
std::string error_code(const http::ClientAnswer& answer);

// Whether the same request may go better later.
bool is_passing(const http::ClientAnswer& answer);

// Whether the server says that it does not know such requests.
bool does_not_know(const http::ClientAnswer& answer);

// For the log: "status 403 AccessDenied: …".
std::string described(const http::ClientAnswer& answer);

// What callers get where the server cannot be reached or refuses: Error unavailable, whose detail has what
// the operator wants to know. `what` is "PUT s3://bucket/key".
Error trouble(std::string_view what, std::string_view why);

}  // namespace waybill::depot
