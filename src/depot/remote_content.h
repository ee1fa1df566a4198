#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "depot/shared_state.h"
#include "object/content_place.h"

namespace waybill::depot {

// A content that lies in S3. Its end is read when it is opened, which is all of a small one; reads that
// follow one another are asked for ahead, as far as the memory for that goes.
//
// Thread safety: every method may be called from any thread.
class RemoteContent final : public object::PlacedContent {
 public:
  static constexpr std::size_t tail_bytes = 128 * 1024;     // read at opening
  static constexpr std::size_t ahead_bytes = 4 << 20;       // asked for at once by one who reads on and on
  static constexpr std::size_t small_read_bytes = 4 << 10;  // sums of blocks: what is near is read as well
  static constexpr std::size_t near_bytes = 64 << 10;

  // Error not_found where there is none.
  static Result<std::unique_ptr<object::PlacedContent>> open(std::shared_ptr<SharedState> state,
                                                             const object::ContentId& id);
  ~RemoteContent() override;
  RemoteContent(const RemoteContent&) = delete;
  RemoteContent& operator=(const RemoteContent&) = delete;

  uint64_t file_bytes() const override { return file_bytes_; }
  Status read(uint64_t offset, std::span<char> out) const override;

  const object::ContentId& id() const { return id_; }

 private:
  // Bytes that were read before anybody asked for them.
  struct Window {
    uint64_t offset = 0;
    std::string bytes;

    bool holds(uint64_t at) const { return at >= offset && at - offset < bytes.size(); }
    // Copies as much as it has from there on.
    std::size_t copy(uint64_t from, std::span<char> out) const;
  };

  RemoteContent(std::shared_ptr<SharedState> state, object::ContentId id)
      : state_(std::move(state)), id_(std::move(id)) {}

  Result<std::size_t> read_some(uint64_t offset, std::span<char> out) const;
  Status fill(Window& window, uint64_t offset, std::size_t bytes) const;
  bool has_room_ahead() const;

  std::shared_ptr<SharedState> state_;
  object::ContentId id_;
  uint64_t file_bytes_ = 0;
  Window tail_;

  mutable std::mutex mutex_;  // guards what follows
  mutable Window ahead_;
  mutable Window near_;
  mutable uint64_t read_end_ = 0;  // of the last read
  mutable bool took_memory_ = false;
};

}  // namespace waybill::depot
