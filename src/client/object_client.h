#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "client/calling.h"
#include "client/connection.h"
#include "http/client.h"

namespace waybill::client {

struct ObjectName {
  std::string bucket;
  std::string key;
};

// "s3://bucket/key", for logs and messages.
std::string text_of(const ObjectName& name);

struct ObjectInfo {
  int64_t bytes = 0;
  std::string etag;  // without its quotes
  std::string content_type;
};

struct GetOptions {
  int64_t bytes_max = INT64_MAX;  // an object that is larger is not fetched
};

struct PresignOptions {
  std::string endpoint;   // where others reach the server; "": where this process does
  int64_t seconds = 900;  // for which it is good; 604,800 at most
};

struct PutOptions {
  std::string content_type = "application/octet-stream";
};

// Takes the bytes of an object as they arrive.
class ByteTaker {
 public:
  virtual ~ByteTaker() = default;

  // They come from the first one on: what was taken before was cut off or damaged.
  virtual Status begin() = 0;

  // An error ends the call with it.
  virtual Status take(std::string_view bytes) = 0;
};

// Objects that a process has itself: no server stands between.
//
// Thread safety: every method may be called from any thread.
class OwnObjects {
 public:
  virtual ~OwnObjects() = default;

  // As ObjectClient::read(), tried once.
  virtual Result<ObjectInfo> read(const ObjectName& name, ByteTaker& taker, const GetOptions& options,
                                  const std::stop_token& stop) = 0;
};

// Objects of a server that speaks S3, path-style.
//
// Errors: not_found for an object or bucket that is not there; access_denied; too_large; unavailable where
// trouble may pass (no answer, stopped, bytes that arrived damaged, the server's own); invalid for all else
// that the server refuses; internal where the file at this end cannot be read or written.
//
// Thread safety: one thread at a time; stop tokens from any.
class ObjectClient {
 public:
  // `own`, where it is not null, is read from in place of the server, whose objects it has; it outlives the
  // client.
  static Result<ObjectClient> open(Connection connection, OwnObjects* own = nullptr);

  // Into the file, which is made or replaced; where this fails it is gone. The bytes are held against the
  // checksum that the object was stored with, or its MD5.
  Result<ObjectInfo> get(const ObjectName& name, const std::string& path, const GetOptions& options = {},
                         const Calling& calling = {});

  // Hands the bytes over as they come. Whether they are those of the object is known when this has succeeded,
  // and not before: nothing may be concluded from what was taken until then.
  Result<ObjectInfo> read(const ObjectName& name, ByteTaker& taker, const GetOptions& options = {},
                          const Calling& calling = {});

  // The whole file. The server is told its checksum, and keeps nothing of what arrives otherwise.
  Result<ObjectInfo> put(const ObjectName& name, const std::string& path, const PutOptions& options = {},
                         const Calling& calling = {});

  Result<ObjectInfo> head(const ObjectName& name, const Calling& calling = {});

  // A URL by which whoever has it can get the object until its time is over, or the key's.
  std::string presigned(const ObjectName& name, const PresignOptions& options = {}) const;

  // Makes the bucket where there is none of this name.
  Status make_bucket(const std::string& bucket, const Calling& calling = {});

 private:
  ObjectClient(Connection connection, OwnObjects* own, std::unique_ptr<http::Client> client)
      : connection_(std::move(connection)), own_(own), client_(std::move(client)) {}

  http::ClientRequest request(const std::string& method, const ObjectName& name,
                              const Calling& calling) const;
  Status sign(http::ClientRequest& request, const std::string& payload_hash) const;
  Result<ObjectInfo> read_once(const ObjectName& name, ByteTaker& taker, const GetOptions& options,
                               const Calling& calling);
  Result<ObjectInfo> put_once(const ObjectName& name, const http::FileBody& file, const std::string& sha256,
                              const PutOptions& options, const Calling& calling);

  Connection connection_;
  OwnObjects* own_;
  std::unique_ptr<http::Client> client_;
};

}  // namespace waybill::client
