#include "api/s3/operations.h"
#include "api/s3/xml_reader.h"

namespace waybill::api::s3 {

// Where a bucket is to lie is read, and is here in any case.
void create_bucket(Call call) {
  const Request& request = call.request();
  if (!request.body.empty()) {
    if (const auto configuration = read_xml(request.body); !configuration) {
      call.fail(configuration.error());
      return;
    }
  }
  if (const auto created = call.buckets().create_bucket(request.bucket); !created) {
    call.fail(created.error());
    return;
  }
  http::Response response;
  response.headers.emplace_back("Location", "/" + request.bucket);
  call.answer(std::move(response));
}

}  // namespace waybill::api::s3
