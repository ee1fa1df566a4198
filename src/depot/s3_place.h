#pragma once

#include <memory>
#include <thread>

#include "depot/claim.h"
#include "depot/shared_state.h"
#include "object/content_place.h"

namespace waybill::depot {

// Contents as objects of a bucket of S3, or of anything that speaks S3: each is there as soon as it is whole,
// under prefix and id, in the same form as files have (object/block_format.h).
//
// Errors: unavailable where S3 cannot be reached or refuses; the detail says what it answered.
//
// Thread safety: every method may be called from any thread. All of them may block.
class S3Place final : public object::ContentPlace {
 public:
  struct Options {
    client::Connection connection;
    Location location;
    Patience patience = {};
    const Clock* clock = nullptr;  // of ids; never goes back. Outlives the place and all that it gave out
    Entropy* entropy = nullptr;    // ditto
  };

  explicit S3Place(const Options& options);

  BucketClient& bucket() { return state_->bucket; }

  Result<std::unique_ptr<object::IncomingContent>> create() override;
  Result<std::unique_ptr<object::PlacedContent>> open(const object::ContentId& id) const override;
  // S3 does not tell whether there was one: it is taken for granted. One that is open goes soon after it
  // is not.
  Result<bool> remove(const object::ContentId& id) override;
  Status visit(const Visit& visit) override;
  // Aborts uploads in parts.
  Status clear_incoming(int64_t older_than_ms) override;

 private:
  void remove_those_closed(const std::stop_token& stop);

  std::shared_ptr<SharedState> state_;
  std::jthread remover_;  // whoever closes a content may be a connection's thread, which must not wait
};

}  // namespace waybill::depot
