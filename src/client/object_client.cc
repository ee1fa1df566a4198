#include "client/object_client.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "client/arrival_check.h"
#include "http/presign.h"
#include "http/uri.h"
#include "object/hash.h"

namespace waybill::client {
namespace {

constexpr int64_t connect_ms = 3'000;
constexpr int64_t silence_ms = 30'000;
constexpr std::size_t piece_bytes = 1 << 18;
constexpr const char* sha256_of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

Error local_trouble(const std::string& what, const std::string& path) {
  return Error{ErrorKind::internal, what + " " + path + ": " + std::strerror(errno), {}};
}

// "<Code>NoSuchKey</Code>" in S3's answers; "" where it says nothing of the kind.
std::string xml_text(std::string_view body, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">";
  const auto begin = body.find(open);
  const auto end = begin == std::string_view::npos ? begin : body.find('<', begin + open.size());
  return end == std::string_view::npos
             ? ""
             : std::string(body.substr(begin + open.size(), end - begin - open.size()));
}

ErrorKind kind_of(int status) {
  switch (status) {
    case 401:
    case 403:
      return ErrorKind::access_denied;
    case 404:
      return ErrorKind::not_found;
    case 413:
      return ErrorKind::too_large;
    default:
      return status >= 500 || status == 408 || status == 429 ? ErrorKind::unavailable : ErrorKind::invalid;
  }
}

Error refusal(const std::string& what, const http::ClientAnswer& answer) {
  const auto code = xml_text(answer.body, "Code");
  const auto message = xml_text(answer.body, "Message");
  return Error{kind_of(answer.status),
               what + ": status " + std::to_string(answer.status) + (code.empty() ? "" : " " + code) +
                   (message.empty() ? "" : ": " + message),
               {}};
}

bool is_success(const http::ClientAnswer& answer) {
  return answer.status >= 200 && answer.status <= 299;
}

ObjectInfo info_of(const http::ClientAnswer& answer, int64_t bytes) {
  auto etag = answer.header("etag");
  if (etag.size() > 1 && etag.front() == '"') {
    etag = etag.substr(1, etag.size() - 2);
  }
  return {bytes, std::string(etag), std::string(answer.header("content-type"))};
}

int64_t length_of(const http::ClientAnswer& answer) {
  const auto text = answer.header("content-length");
  int64_t bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  return bytes;
}

struct FileSum {
  int64_t bytes = 0;
  std::string sha256;  // raw
};

Result<FileSum> sum_of(const Descriptor& file, const std::string& path) {
  object::Hash hash(object::HashKind::sha256);
  std::vector<char> piece(piece_bytes);
  FileSum sum;
  for (;;) {
    const auto got = ::pread(file.number(), piece.data(), piece.size(), sum.bytes);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return local_trouble("cannot read", path);
    }
    if (got == 0) {
      sum.sha256 = hash.take();
      return sum;
    }
    hash.add({piece.data(), static_cast<std::size_t>(got)});
    sum.bytes += got;
  }
}

class FileTaker final : public ByteTaker {
 public:
  explicit FileTaker(const std::string& path) : path_(path) {}

  Status begin() override {
    file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    return file_.is_open() ? Status() : Status(local_trouble("cannot write", path_));
  }
  Status take(std::string_view bytes) override {
    return write_all(file_, bytes) ? Status() : Status(local_trouble("cannot write", path_));
  }

 private:
  const std::string& path_;
  Descriptor file_;
};

}  // namespace

std::string text_of(const ObjectName& name) {
  return "s3://" + name.bucket + "/" + name.key;
}

Result<ObjectClient> ObjectClient::open(Connection connection, OwnObjects* own) {
  WAYBILL_TRY_ASSIGN(auto client, http::Client::open({.connect_ms = connect_ms, .silence_ms = silence_ms}));
  return ObjectClient(std::move(connection), own, std::move(client));
}

http::ClientRequest ObjectClient::request(const std::string& method, const ObjectName& name,
                                          const Calling& calling) const {
  http::ClientRequest made;
  made.method = method;
  made.url = connection_.endpoint + "/" + name.bucket;
  if (!name.key.empty()) {
    made.url += '/';
    http::append_uri_encoded(made.url, name.key, true);
  }
  made.stop = calling.stop;
  return made;
}

Status ObjectClient::sign(http::ClientRequest& request, const std::string& payload_hash) const {
  return http::sign_request(request, {.key = connection_.key,
                                      .region = connection_.region,
                                      .service = "s3",
                                      .payload_hash = payload_hash,
                                      .wall_seconds = connection_.clock->wall_seconds()});
}

Result<ObjectInfo> ObjectClient::read_once(const ObjectName& name, ByteTaker& taker,
                                           const GetOptions& options, const Calling& calling) {
  WAYBILL_TRY(taker.begin());
  auto made = request("GET", name, calling);
  made.headers.emplace_back("X-Amz-Checksum-Mode: ENABLED");
  WAYBILL_TRY(sign(made, sha256_of_nothing));
  std::optional<ArrivalCheck> check;
  made.on_head = [&](const http::ClientAnswer& head) { check.emplace(head); };
  int64_t bytes = 0;
  std::optional<Error> trouble;
  const auto take = [&](std::string_view piece) {
    bytes += static_cast<int64_t>(piece.size());
    if (bytes > options.bytes_max) {
      trouble = Error{ErrorKind::too_large,
                      text_of(name) + " has more than " + std::to_string(options.bytes_max) + " bytes",
                      {}};
    } else if (auto taken = taker.take(piece); !taken) {
      trouble = std::move(taken).error();
    }
    check->add(piece);
    return !trouble;
  };
  WAYBILL_TRY_ASSIGN(const auto answer, client_->follow(made, take));
  if (trouble) {
    return *std::move(trouble);
  }
  if (!is_success(answer)) {
    return refusal(text_of(name), answer);
  }
  if (auto arrived = check ? check->finish() : Status(); !arrived) {
    return Error{ErrorKind::unavailable, text_of(name) + ": " + arrived.error().message, {}};
  }
  return info_of(answer, bytes);
}

Result<ObjectInfo> ObjectClient::read(const ObjectName& name, ByteTaker& taker, const GetOptions& options,
                                      const Calling& calling) {
  return persist(*connection_.clock, calling, [&] {
    return own_ != nullptr ? own_->read(name, taker, options, calling.stop)
                           : read_once(name, taker, options, calling);
  });
}

Result<ObjectInfo> ObjectClient::get(const ObjectName& name, const std::string& path,
                                     const GetOptions& options, const Calling& calling) {
  FileTaker file(path);
  auto info = read(name, file, options, calling);
  if (!info) {
    ::unlink(path.c_str());
  }
  return info;
}

Result<ObjectInfo> ObjectClient::put_once(const ObjectName& name, const http::FileBody& file,
                                          const std::string& sha256, const PutOptions& options,
                                          const Calling& calling) {
  auto made = request("PUT", name, calling);
  made.file = file;
  made.headers.push_back("Content-Type: " + options.content_type);
  std::string checksum = "X-Amz-Checksum-Sha256: ";
  append_base64(checksum, sha256);
  made.headers.push_back(std::move(checksum));
  WAYBILL_TRY(sign(made, hex_lower(sha256)));
  WAYBILL_TRY_ASSIGN(const auto answer, client_->send(made));
  if (!is_success(answer)) {
    return refusal(text_of(name), answer);
  }
  auto info = info_of(answer, file.bytes);
  info.content_type = options.content_type;
  return info;
}

Result<ObjectInfo> ObjectClient::put(const ObjectName& name, const std::string& path,
                                     const PutOptions& options, const Calling& calling) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    return local_trouble("cannot read", path);
  }
  WAYBILL_TRY_ASSIGN(const auto sum, sum_of(file, path));
  return persist(*connection_.clock, calling,
                 [&] { return put_once(name, {file.number(), sum.bytes}, sum.sha256, options, calling); });
}

Result<ObjectInfo> ObjectClient::head(const ObjectName& name, const Calling& calling) {
  return persist(*connection_.clock, calling, [&]() -> Result<ObjectInfo> {
    auto made = request("HEAD", name, calling);
    WAYBILL_TRY(sign(made, sha256_of_nothing));
    WAYBILL_TRY_ASSIGN(const auto answer, client_->send(made));
    if (!is_success(answer)) {
      return refusal(text_of(name), answer);
    }
    return info_of(answer, length_of(answer));
  });
}

std::string ObjectClient::presigned(const ObjectName& name, const PresignOptions& options) const {
  http::Presigning presigning;
  presigning.endpoint = options.endpoint.empty() ? connection_.endpoint : options.endpoint;
  presigning.key_id = connection_.key.id;
  presigning.secret = connection_.key.secret;
  presigning.region = connection_.region;
  presigning.wall_seconds = connection_.clock->wall_seconds();
  presigning.expires_seconds = options.seconds;
  return http::presigned_url(presigning, {.bucket = name.bucket, .key = name.key});
}

Status ObjectClient::make_bucket(const std::string& bucket, const Calling& calling) {
  return persist(*connection_.clock, calling, [&]() -> Status {
    auto made = request("PUT", {bucket, ""}, calling);
    WAYBILL_TRY(sign(made, ""));
    WAYBILL_TRY_ASSIGN(const auto answer, client_->send(made));
    // 409: somebody has made it meanwhile.
    if (!is_success(answer) && xml_text(answer.body, "Code") != "BucketAlreadyOwnedByYou") {
      return refusal("s3://" + bucket, answer);
    }
    return {};
  });
}

}  // namespace waybill::client
