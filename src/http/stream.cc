#include "http/stream.h"

#include <utility>

#include "http/connection.h"

namespace waybill::http {

Stream::Stream(std::shared_ptr<Connection> connection, std::shared_ptr<StreamBuffer> buffer)
    : connection_(std::move(connection)), buffer_(std::move(buffer)) {}

Stream& Stream::operator=(Stream&& other) noexcept {
  if (this != &other) {
    end();
    connection_ = std::move(other.connection_);
    buffer_ = std::move(other.buffer_);
  }
  return *this;
}

Stream::~Stream() {
  end();
}

bool Stream::give(std::string bytes) {
  if (connection_ == nullptr) {
    return false;
  }
  if (buffer_->put(std::move(bytes)) == StreamBuffer::Put::first) {
    connection_->pump();
  }
  return !buffer_->is_gone();
}

std::string Stream::spare() {
  return buffer_ ? buffer_->take_spare() : std::string();
}

void Stream::end() {
  const auto connection = std::move(connection_);
  if (connection != nullptr && buffer_->end() == StreamBuffer::Put::first) {
    connection->pump();
  }
}

}  // namespace waybill::http
