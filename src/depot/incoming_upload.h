#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "depot/remote_content.h"
#include "depot/shared_state.h"
#include "object/content_place.h"

namespace waybill::depot {

// A content on its way to S3: in one request where it is small, else as an upload in parts, of which nobody
// sees anything before it is completed. What is not published is aborted.
class IncomingUpload final : public object::IncomingContent {
 public:
  static constexpr std::size_t part_bytes = 8 << 20;      // sent at once, and so held in memory
  static constexpr std::size_t part_bytes_min = 5 << 20;  // of any part but the last, by S3's rules
  static constexpr uint64_t copy_bytes_max = uint64_t{5} << 30;
  static constexpr std::size_t part_count_max = 10'000;

  explicit IncomingUpload(std::shared_ptr<SharedState> state) : state_(std::move(state)) {}
  ~IncomingUpload() override;
  IncomingUpload(const IncomingUpload&) = delete;
  IncomingUpload& operator=(const IncomingUpload&) = delete;

  Status append(std::string_view bytes) override;

  // By S3 itself where it is enough for a part.
  Status append_copy(const object::PlacedContent& from, uint64_t offset, uint64_t bytes) override;

  Result<object::ContentId> publish() override;

 private:
  Status gather(std::string_view bytes);
  Status gather_copy(const RemoteContent& from, uint64_t offset, uint64_t bytes);
  Status send_gathered();
  Status begin_part();
  Status begin_upload();
  // Whether the server can.
  Result<bool> copy_part(const object::ContentId& from, uint64_t offset, uint64_t bytes);
  Result<object::ContentId> put();

  std::shared_ptr<SharedState> state_;
  std::string gathered_;
  std::size_t reserved_bytes_ = 0;  // of the memory for what is gathered

  std::optional<object::ContentId> id_;  // of an upload in parts
  UploadInProgress upload_;              // ditto
  std::vector<std::string> tags_;        // of its parts
  bool is_published_ = false;
};

}  // namespace waybill::depot
