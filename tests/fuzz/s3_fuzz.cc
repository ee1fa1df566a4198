// links: api
//
// The input is taken for everything that a client of S3 can send in bytes of its own: the XML of a body, and
// a path, a query and a host, which become names.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/s3/operations.h"
#include "api/s3/request.h"
#include "api/s3/xml.h"
#include "api/s3/xml_reader.h"
#include "base/check.h"
#include "base/utf8.h"

namespace {

using namespace waybill;
using namespace waybill::api;

void write(s3::Xml& xml, const s3::XmlElement& element) {
  xml.open(element.name);
  xml.text(element.text);
  for (const auto& child : element.children) {
    write(xml, child);
  }
  xml.close(element.name);
}

bool same(const s3::XmlElement& a, const s3::XmlElement& b) {
  if (a.name != b.name || a.text != b.text || a.children.size() != b.children.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (!same(a.children[i], b.children[i])) {
      return false;
    }
  }
  return true;
}

// What was read and is written again is read as the same.
void check_xml(std::string_view text) {
  const auto read = s3::read_xml(text);
  if (!read) {
    return;
  }
  s3::Xml xml;
  write(xml, *read);
  const auto again = s3::read_xml(std::move(xml).take());
  WAYBILL_CHECK(again.has_value());
  WAYBILL_CHECK(same(*read, *again));
}

void check_request(std::string_view text) {
  const auto first = text.find('\n');
  const auto second = text.find('\n', first == std::string_view::npos ? first : first + 1);
  http::Request request;
  request.method = "GET";
  request.path = text.substr(0, first);
  if (second != std::string_view::npos) {
    request.query = text.substr(first + 1, second - first - 1);
    request.headers.push_back({"host", text.substr(second + 1)});
  }
  const auto read = s3::read_request(request);
  static_cast<void>(s3::find_operation(read));
  if (s3::check_names(read)) {
    WAYBILL_CHECK(read.bucket.find('/') == std::string::npos);
    WAYBILL_CHECK(is_utf8(read.key));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_xml(text);
  check_request(text);
  return 0;
}
