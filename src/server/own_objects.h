#pragma once

#include <stop_token>

#include "base/result.h"
#include "bucket/buckets.h"
#include "client/object_client.h"

namespace waybill::server {

// The server's objects for the workers in its own process, which hold a key that may read all of them: what
// goes through the listener is copied three times on its way. What is read is held against the sums of its
// blocks.
//
// Thread safety: every method may be called from any thread.
class OwnObjects final : public client::OwnObjects {
 public:
  explicit OwnObjects(const bucket::Buckets& buckets) : buckets_(buckets) {}

  // A content that is damaged is unavailable, as it is to other clients: it may be restored.
  Result<client::ObjectInfo> read(const client::ObjectName& name, client::ByteTaker& taker,
                                  const client::GetOptions& options, const std::stop_token& stop) override;

 private:
  const bucket::Buckets& buckets_;
};

}  // namespace waybill::server
