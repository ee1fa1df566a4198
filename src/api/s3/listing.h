#pragma once

#include <string>
#include <string_view>

#include "api/s3/call.h"
#include "bucket/buckets.h"
#include "object/list_fold.h"

// What all listings have in common.
namespace waybill::api::s3 {

// Texts of a listing as the client wants them: encoding-type=url encodes keys, prefixes and markers, since
// XML cannot have all characters that a key can.
class Encoding {
 public:
  // Error invalid where there is no such encoding.
  static Result<Encoding> of(const Request& request);

  void element(Xml& xml, std::string_view name, std::string_view text) const;
  // <EncodingType> where there is one.
  void tell(Xml& xml) const;

 private:
  bool is_url_ = false;
};

// Prefix, delimiter and max-keys.
Result<object::ListQuery> read_query(const Request& request);

void append_objects(Xml& xml, const Encoding& encoding, const bucket::ObjectPage& page,
                    std::string_view owner);
void append_prefixes(Xml& xml, const Encoding& encoding, const std::vector<std::string>& prefixes);

}  // namespace waybill::api::s3
