#pragma once

#include <string>
#include <string_view>

#include "http/message.h"

namespace waybill::http {

struct CanonicalForm {
  std::string_view signed_headers = {};  // names in lower case, sorted, with ';' between them
  std::string_view payload_hash = {};    // hexadecimal
  bool presigned = false;                // the signature is in the query, and is left out
  bool object_store = false;             // S3 takes the path as it is: encoded once, dots and slashes kept
};

// Appends the text that is hashed and signed by AWS Signature Version 4:
//
//   method LF path LF query LF *(name ":" values LF) LF signed headers LF payload hash
//
// Path: without dot segments and doubled slashes, percent-encoded once more. Query: decoded and encoded anew,
// sorted by name, then value. Headers: white space around values removed, within them made one space; the
// values of headers of one name joined with commas.
void append_canonical_request(std::string& out, const Request& request, const CanonicalForm& form);

}  // namespace waybill::http
