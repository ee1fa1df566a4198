#pragma once

#include <memory>
#include <string_view>

#include "api/s3/call.h"
#include "api/s3/content_plan.h"
#include "http/upload.h"

namespace waybill::api::s3 {

// A body on its way into a content: the connection's thread hands pieces over, a worker writes them, and the
// client is slowed down where it sends faster than that. What waits is bounded.
class ContentUpload final : public http::Upload {
 public:
  ContentUpload(Call call, ContentPlan plan, http::UploadGate gate);
  ~ContentUpload() override;

  Next take(std::string_view bytes) override;
  void finish(http::Responder responder) override;

  // The same for a request without a body.
  static void receive_nothing(Call call, ContentPlan plan);

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace waybill::api::s3
