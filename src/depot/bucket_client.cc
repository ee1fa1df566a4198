#include "depot/bucket_client.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "client/calling.h"
#include "depot/answers.h"
#include "http/sign_request.h"
#include "http/uri.h"

namespace waybill::depot {
namespace {

constexpr std::size_t idle_clients_max = 64;
constexpr int status_ok = 200;
constexpr int status_partial = 206;
constexpr int status_unsatisfiable = 416;

std::string encoded(std::string_view text) {
  std::string out;
  http::append_uri_encoded(out, text, false);
  return out;
}

std::string upload_query(const UploadInProgress& upload) {
  return "uploadId=" + encoded(upload.id);
}

std::string part_query(const UploadInProgress& upload, int number) {
  return "partNumber=" + std::to_string(number) + "&" + upload_query(upload);
}

std::string range_text(uint64_t first, uint64_t bytes) {
  return "bytes=" + std::to_string(first) + "-" + std::to_string(first + bytes - 1);
}

std::string completion_body(const std::vector<std::string>& tags) {
  std::string xml = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
  for (std::size_t i = 0; i < tags.size(); ++i) {
    std::string tag;
    for (const char c : tags[i]) {
      tag += c == '"' ? "&quot;" : c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
    }
    xml += "<Part><PartNumber>" + std::to_string(i + 1) + "</PartNumber><ETag>" + tag + "</ETag></Part>";
  }
  return xml + "</CompleteMultipartUpload>";
}

}  // namespace

// One request, which may be sent several times.
struct BucketClient::Call {
  std::string method;
  std::string_view key;  // of what it is about, for messages
  std::string url;
  std::vector<std::string> headers = {};
  std::string body = {};
  std::span<char>* into = nullptr;  // where the body of a 200 or 206 goes; null: it is returned
  std::size_t filled = 0;           // of it
  bool has_overflown = false;
  bool once = false;

  // Whether there was room for it.
  bool take(std::string_view piece);
};

BucketClient::BucketClient(client::Connection connection, Location location, const Patience& patience)
    : connection_(std::move(connection)), location_(std::move(location)), patience_(patience) {
  pool_.limits = {
      .connect_ms = patience.connect_ms, .answer_ms = patience.answer_ms, .silence_ms = patience.silence_ms};
  copy_pool_.limits = {
      .connect_ms = patience.connect_ms, .answer_ms = patience.copy_ms, .silence_ms = patience.copy_ms};
}

std::string BucketClient::name_of(std::string_view key) const {
  return "s3://" + location_.bucket + "/" + location_.prefix + std::string(key);
}

std::string BucketClient::url_of(std::string_view key, std::string_view query) const {
  std::string url = connection_.endpoint + "/" + location_.bucket + "/";
  http::append_uri_encoded(url, location_.prefix + std::string(key), true);
  return url + (query.empty() ? "" : "?") + std::string(query);
}

Result<std::unique_ptr<http::Client>> BucketClient::Pool::take() {
  {
    const std::lock_guard lock(mutex);
    if (!idle.empty()) {
      auto client = std::move(idle.back());
      idle.pop_back();
      return client;
    }
  }
  return http::Client::open(limits);
}

void BucketClient::Pool::give_back(std::unique_ptr<http::Client> client) {
  const std::lock_guard lock(mutex);
  if (idle.size() < idle_clients_max) {
    idle.push_back(std::move(client));
  }
}

bool BucketClient::Call::take(std::string_view piece) {
  if (piece.size() > into->size() - filled) {
    has_overflown = true;
    return false;
  }
  std::memcpy(into->data() + filled, piece.data(), piece.size());
  filled += piece.size();
  return true;
}

// An answer that may be another one later is Error unavailable.
Result<http::ClientAnswer> BucketClient::send_once(Call& call, Pool& pool) {
  WAYBILL_TRY_ASSIGN(auto client, pool.take());
  http::ClientRequest request;
  request.method = call.method;
  request.url = call.url;
  request.headers = call.headers;
  request.body = std::move(call.body);
  const auto is_signed = http::sign_request(request, {.key = connection_.key,
                                                      .region = connection_.region,
                                                      .service = "s3",
                                                      .payload_hash = {},
                                                      .wall_seconds = connection_.clock->wall_seconds()});
  call.filled = 0;
  call.has_overflown = false;
  auto answer = !is_signed ? Result<http::ClientAnswer>(is_signed.error())
                : call.into != nullptr
                    ? client->follow(request, [&](std::string_view piece) { return call.take(piece); })
                    : client->send(request);
  call.body = std::move(request.body);
  pool.give_back(std::move(client));
  if (answer && is_passing(*answer)) {
    return Error{ErrorKind::unavailable, described(*answer), {}};
  }
  return answer;
}

Result<http::ClientAnswer> BucketClient::send(Call& call, Pool& pool) {
  auto answer = client::persist(*connection_.clock,
                                {.stop = {}, .patience_ms = call.once ? 0 : patience_.trying_again_ms},
                                [&] { return send_once(call, pool); });
  if (!answer) {
    return trouble(call.method + " " + name_of(call.key), answer.error().message);
  }
  return answer;
}

Status BucketClient::check(const Call& call, const http::ClientAnswer& answer) const {
  const auto code = error_code(answer);
  if (is_success(answer) && code.empty()) {
    return {};
  }
  if (code == "NoSuchKey" || code == "NoSuchUpload") {
    return Error{ErrorKind::not_found, "There is no such content.", name_of(call.key) + ": " + code};
  }
  return trouble(call.method + " " + name_of(call.key), described(answer));
}

Status BucketClient::read(std::string_view key, uint64_t offset, std::span<char> out) {
  Call call{"GET", key, url_of(key, "")};
  call.headers = {"Range: " + range_text(offset, out.size())};
  call.into = &out;
  WAYBILL_TRY_ASSIGN(const auto answer, send(call, pool_));
  const auto range = read_content_range(answer.header("content-range"));
  if (answer.status == status_partial && !call.has_overflown && call.filled == out.size() && range &&
      range->first == offset) {
    return {};
  }
  if (answer.status == status_unsatisfiable || (answer.status == status_partial && range)) {
    return Error{ErrorKind::corruption, "A stored content is damaged. Restore it from a backup.",
                 name_of(key) + " ends too early"};
  }
  WAYBILL_TRY(check(call, answer));
  return trouble("GET " + name_of(key), "the server does not answer with the range that was asked for");
}

Result<Tail> BucketClient::read_tail(std::string_view key, std::size_t bytes_max) {
  Tail tail;
  tail.bytes.resize(bytes_max);
  std::span<char> out(tail.bytes);
  Call call{"GET", key, url_of(key, "")};
  call.headers = {"Range: bytes=-" + std::to_string(bytes_max)};
  call.into = &out;
  WAYBILL_TRY_ASSIGN(const auto answer, send(call, pool_));
  WAYBILL_TRY(check(call, answer));
  const auto range = read_content_range(answer.header("content-range"));
  tail.object_bytes = range ? range->object_bytes : call.filled;
  tail.bytes.resize(static_cast<std::size_t>(std::min<uint64_t>(bytes_max, tail.object_bytes)));
  tail.bytes.shrink_to_fit();
  const bool is_whole = answer.status == status_ok && !range && !call.has_overflown;
  const bool is_end = answer.status == status_partial && range && !call.has_overflown &&
                      range->last + 1 == range->object_bytes && call.filled == tail.bytes.size();
  if (is_whole || is_end) {
    return tail;
  }
  if (answer.status == status_partial && range) {
    // Some servers do not know how to count from the end. They tell the length, at least.
    WAYBILL_TRY(read(key, tail.object_bytes - tail.bytes.size(), tail.bytes));
    return tail;
  }
  return trouble("GET " + name_of(key), "the server does not answer with the range that was asked for");
}

Status BucketClient::put(std::string_view key, std::string& body) {
  std::string sum;
  append_u32_be(sum, crc32c(0, body));
  std::string checksum = "X-Amz-Checksum-Crc32c: ";
  append_base64(checksum, sum);
  Call call{"PUT", key, url_of(key, "")};
  call.headers = {"Content-Type: application/octet-stream", std::move(checksum)};
  call.body = std::move(body);
  const auto answer = send(call, pool_);
  body = std::move(call.body);
  return answer ? check(call, *answer) : Status(answer.error());
}

Status BucketClient::remove(std::string_view key) {
  Call call{"DELETE", key, url_of(key, "")};
  WAYBILL_TRY_ASSIGN(const auto answer, send(call, pool_));
  auto removed = check(call, answer);
  return !removed && removed.error().kind == ErrorKind::not_found ? Status() : removed;
}

Result<std::vector<std::string>> BucketClient::list(std::string_view after) {
  std::string query = "list-type=2&prefix=" + encoded(location_.prefix);
  if (!after.empty()) {
    query += "&start-after=" + encoded(location_.prefix + std::string(after));
  }
  Call call{"GET", "", connection_.endpoint + "/" + location_.bucket + "?" + query};
  WAYBILL_TRY_ASSIGN(const auto answer, send(call, pool_));
  WAYBILL_TRY(check(call, answer));
  auto keys = texts_of(answer.body, "Key");
  for (auto& key : keys) {
    key.erase(0, location_.prefix.size());
  }
  return keys;
}

Result<std::string> BucketClient::create_upload(std::string_view key) {
  Call call{"POST", key, url_of(key, "uploads=")};
  call.headers = {"Content-Type: application/octet-stream"};
  WAYBILL_TRY_ASSIGN(const auto answer, send(call, pool_));
  WAYBILL_TRY(check(call, answer));
  auto id = text_of(answer.body, "UploadId");
  if (id.empty()) {
    return trouble("POST " + name_of(key), "the server gives no id for an upload in parts");
  }
  return id;
}

Result<std::string> BucketClient::put_part(const UploadInProgress& upload, int number, std::string& body) {
  Call call{"PUT", upload.key, url_of(upload.key, part_query(upload, number))};
  call.headers = {"Content-Type: application/octet-stream"};
  call.body = std::move(body);
  const auto answer = send(call, pool_);
  body = std::move(call.body);
  if (!answer) {
    return answer.error();
  }
  WAYBILL_TRY(check(call, *answer));
  return std::string(answer->header("etag"));
}

Result<std::optional<std::string>> BucketClient::copy_part(const UploadInProgress& upload, int number,
                                                           const CopiedRange& from) {
  std::string source = "X-Amz-Copy-Source: /" + location_.bucket + "/";
  http::append_uri_encoded(source, location_.prefix + from.key, true);
  Call call{"PUT", upload.key, url_of(upload.key, part_query(upload, number))};
  call.headers = {"Content-Type: application/octet-stream", std::move(source),
                  "X-Amz-Copy-Source-Range: " + range_text(from.first, from.bytes)};
  WAYBILL_TRY_ASSIGN(const auto answer, send(call, copy_pool_));
  if (does_not_know(answer)) {
    return std::optional<std::string>();
  }
  WAYBILL_TRY(check(call, answer));
  auto tag = text_of(answer.body, "ETag");
  return tag.empty() ? std::nullopt : std::optional(std::move(tag));
}

// A completion whose answer was lost may have come about: then the upload is gone, and the object is there.
Status BucketClient::complete(const UploadInProgress& upload, const std::vector<std::string>& tags) {
  Call call{"POST", upload.key, url_of(upload.key, upload_query(upload))};
  call.headers = {"Content-Type: application/xml"};
  call.body = completion_body(tags);
  WAYBILL_TRY_ASSIGN(const auto answer, send(call, copy_pool_));
  auto completed = check(call, answer);
  if (!completed && completed.error().kind == ErrorKind::not_found) {
    WAYBILL_TRY(read_tail(upload.key, 1));
    return {};
  }
  return completed;
}

Status BucketClient::abort(const UploadInProgress& upload) {
  Call call{"DELETE", upload.key, url_of(upload.key, upload_query(upload))};
  call.once = true;
  WAYBILL_TRY_ASSIGN(const auto answer, send(call, pool_));
  auto aborted = check(call, answer);
  return !aborted && aborted.error().kind == ErrorKind::not_found ? Status() : aborted;
}

Result<std::vector<UploadInProgress>> BucketClient::list_uploads(const UploadInProgress& after) {
  std::string query = "uploads=&prefix=" + encoded(location_.prefix);
  if (!after.key.empty()) {
    query +=
        "&key-marker=" + encoded(location_.prefix + after.key) + "&upload-id-marker=" + encoded(after.id);
  }
  Call call{"GET", "", connection_.endpoint + "/" + location_.bucket + "?" + query};
  WAYBILL_TRY_ASSIGN(const auto answer, send(call, pool_));
  std::vector<UploadInProgress> uploads;
  if (does_not_know(answer)) {
    return uploads;
  }
  WAYBILL_TRY(check(call, answer));
  for (const auto element : elements_of(answer.body, "Upload")) {
    auto key = text_of(element, "Key");
    key.erase(0, location_.prefix.size());
    uploads.push_back({std::move(key), text_of(element, "UploadId")});
  }
  return uploads;
}

}  // namespace waybill::depot
