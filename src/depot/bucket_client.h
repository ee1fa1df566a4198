#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "client/connection.h"
#include "depot/location.h"
#include "http/client.h"

namespace waybill::depot {

// How long requests may take.
struct Patience {
  int64_t connect_ms = 3'000;
  int64_t silence_ms = 20'000;      // of reads: for the next bytes
  int64_t answer_ms = 60'000;       // of requests that bring bytes
  int64_t copy_ms = 10 * 60'000;    // of those that let the server copy bytes of its own
  int64_t trying_again_ms = 5'000;  // after trouble that may pass
};

struct UploadInProgress {
  std::string key;
  std::string id;
};

// An object's last bytes.
struct Tail {
  uint64_t object_bytes = 0;
  std::string bytes;
};

struct CopiedRange {
  std::string key;
  uint64_t first = 0;
  uint64_t bytes = 0;
};

// One bucket of a server that speaks S3, path-style. Requests are signed, and sent again after trouble that
// may pass: each of them may come twice without harm.
//
// Errors: not_found for an object or upload that is not there; unavailable for all else, see answers.h; a
// bucket that is not there is trouble as well. Nothing of the key but its id's use in signatures leaves the
// process, and nothing of it is in any message.
//
// Thread safety: every method may be called from any thread; each blocks its caller.
class BucketClient {
 public:
  BucketClient(client::Connection connection, Location location, const Patience& patience = {});

  // "s3://bucket/prefix/key", for messages.
  std::string name_of(std::string_view key) const;
  const Location& location() const { return location_; }
  const client::Connection& connection() const { return connection_; }

  // Keys are without the prefix from here on.

  // Fills `out` from `offset` on. Error corruption where the object ends before.
  Status read(std::string_view key, uint64_t offset, std::span<char> out);
  // At most so many bytes, and all where the object has no more.
  Result<Tail> read_tail(std::string_view key, std::size_t bytes_max);

  // The body is handed back as it was. The server checks it by the hash that is signed, and by its CRC-32C.
  Status put(std::string_view key, std::string& body);
  Status remove(std::string_view key);

  // At most a thousand, behind `after`, in order; empty where there are no more.
  Result<std::vector<std::string>> list(std::string_view after);

  Result<std::string> create_upload(std::string_view key);  // its id
  // The part's tag. The server checks the body by the hash that is signed.
  Result<std::string> put_part(const UploadInProgress& upload, int number, std::string& body);
  // Nothing where the server cannot copy: some that speak S3 do not know this request, and take it for a part
  // without bytes.
  Result<std::optional<std::string>> copy_part(const UploadInProgress& upload, int number,
                                               const CopiedRange& from);
  Status complete(const UploadInProgress& upload, const std::vector<std::string>& tags);
  // One attempt, and no error where it is gone.
  Status abort(const UploadInProgress& upload);
  // At most a thousand, behind `after`; empty where there are no more, or where the server does not tell.
  Result<std::vector<UploadInProgress>> list_uploads(const UploadInProgress& after);

 private:
  struct Call;
  // Clients that nobody uses, with their connections.
  struct Pool {
    http::Client::Limits limits;
    std::mutex mutex;  // guards what follows
    std::vector<std::unique_ptr<http::Client>> idle;

    Result<std::unique_ptr<http::Client>> take();
    void give_back(std::unique_ptr<http::Client> client);
  };

  std::string url_of(std::string_view key, std::string_view query) const;
  Result<http::ClientAnswer> send(Call& call, Pool& pool);
  Result<http::ClientAnswer> send_once(Call& call, Pool& pool);
  Status check(const Call& call, const http::ClientAnswer& answer) const;

  const client::Connection connection_;
  const Location location_;
  const Patience patience_;
  Pool pool_;
  Pool copy_pool_;
};

}  // namespace waybill::depot
