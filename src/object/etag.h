#pragma once

#include <string>
#include <string_view>

namespace waybill::object {

// How the tags of a list are held against the one of an object: a weak one, W/"x", equals "x" only where
// weak comparison is asked for.
enum class TagComparison : unsigned char { strong, weak };

// Whether the value of If-Match or If-None-Match names `etag` (without quotes). The value is "*", which names
// every object, or tags with commas between:
//
//   list := "*" | tag *("," tag)
//   tag  := ["W/"] '"' characters '"' | characters
//
// Tags without quotes are taken as S3 takes them. What cannot be read names nothing.
bool names_etag(std::string_view list, std::string_view etag, TagComparison comparison);

// With its quotes, as the header ETag has it.
std::string quoted_etag(std::string_view etag);

}  // namespace waybill::object
