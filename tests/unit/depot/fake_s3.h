#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../client/local_server.h"
#include "depot/answers.h"
#include "http/uri.h"

namespace waybill::depot {

// As much of S3 as contents need, with one bucket "bucket", in memory. A test may answer in its place.
class FakeS3 {
 public:
  using Mishap = std::function<std::optional<http::Response>(const SeenRequest&)>;

  FakeS3() : server_([this](const SeenRequest& request) { return answer(request); }) {}

  std::string url() const { return server_.url(); }
  std::vector<SeenRequest> seen() const { return server_.seen(); }
  std::size_t count(const std::function<bool(const SeenRequest&)>& is_counted) const {
    const auto all = seen();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_counted));
  }

  // Called with each request first.
  void set_mishap(Mishap mishap) {
    const std::lock_guard lock(mutex_);
    mishap_ = std::move(mishap);
  }

  // From inside a mishap: what would have been the answer.
  http::Response serve(const SeenRequest& request) {
    const Parts parts = split(request);
    if (parts.bucket != "bucket") {
      return error(404, "NoSuchBucket");
    }
    if (parts.key.empty()) {
      return parts.has("uploads") ? list_uploads() : list(parts);
    }
    if (request.method == "POST") {
      return parts.has("uploads") ? create_upload(parts) : complete(parts, request);
    }
    if (request.method == "PUT") {
      return parts.has("uploadId") ? put_part(parts, request) : put(parts, request);
    }
    if (request.method == "DELETE") {
      return parts.has("uploadId") ? abort(parts) : remove(parts);
    }
    return get(parts, request);
  }

  std::map<std::string, std::string> objects;
  struct Upload {
    std::string key;
    std::map<int, std::string> parts;
  };
  std::map<std::string, Upload> uploads;

  static http::Response error(int status, const std::string& code) {
    return answer_with(
        status, "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>no</Message></Error>");
  }

 private:
  struct Parts {
    std::string bucket;
    std::string key;
    std::map<std::string, std::string> query;
    bool has(const std::string& name) const { return query.contains(name); }
  };

  static Parts split(const SeenRequest& request) {
    std::string_view target = request.target;
    const auto question = std::min(target.find('?'), target.size());
    std::string_view query = target.substr(std::min(question + 1, target.size()));
    const std::string path = http::uri_decoded(target.substr(1, question - 1));
    const auto slash = std::min(path.find('/'), path.size());
    Parts parts{path.substr(0, slash), path.substr(std::min(slash + 1, path.size())), {}};
    std::string_view name;
    std::string_view value;
    while (http::next_query_parameter(query, name, value)) {
      parts.query[http::uri_decoded(name)] = http::uri_decoded(value);
    }
    return parts;
  }

  http::Response answer(const SeenRequest& request) {
    const std::lock_guard lock(mutex_);
    if (mishap_) {
      if (auto mishap = mishap_(request)) {
        return *std::move(mishap);
      }
    }
    return serve(request);
  }

  http::Response get(const Parts& parts, const SeenRequest& request) const {
    const auto found = objects.find(parts.key);
    if (found == objects.end()) {
      return error(404, "NoSuchKey");
    }
    const auto& bytes = found->second;
    const std::string range = request.headers.at("range").substr(6);
    const auto dash = range.find('-');
    std::size_t first = 0;
    std::size_t last = bytes.size() - 1;
    if (dash == 0) {
      first = bytes.size() - std::min(bytes.size(), std::stoul(range.substr(1)));
    } else {
      first = std::stoul(range.substr(0, dash));
      last = std::min(last, std::stoul(range.substr(dash + 1)));
    }
    if (first >= bytes.size()) {
      return error(416, "InvalidRange");
    }
    auto response = answer_with(206, bytes.substr(first, last - first + 1));
    response.headers.emplace_back(
        "Content-Range",
        "bytes " + std::to_string(first) + "-" + std::to_string(last) + "/" + std::to_string(bytes.size()));
    return response;
  }

  http::Response put(const Parts& parts, const SeenRequest& request) {
    objects[parts.key] = request.body;
    return answer_with(200, "");
  }

  http::Response remove(const Parts& parts) {
    objects.erase(parts.key);
    return answer_with(204, "");
  }

  http::Response list(const Parts& parts) const {
    constexpr int page = 2;  // so that every listing has several
    const auto prefix = parts.query.at("prefix");
    const auto after = parts.has("start-after") ? parts.query.at("start-after") : "";
    std::string xml = "<ListBucketResult>";
    int listed = 0;
    for (auto at = objects.upper_bound(after); at != objects.end() && listed < page; ++at) {
      if (at->first.starts_with(prefix)) {
        xml += "<Contents><Key>" + at->first + "</Key></Contents>";
        ++listed;
      }
    }
    return answer_with(200, xml + "</ListBucketResult>");
  }

  http::Response create_upload(const Parts& parts) {
    const std::string id = "upload/" + std::to_string(++upload_count_);
    uploads[id].key = parts.key;
    return answer_with(200, "<R><UploadId>" + id + "</UploadId></R>");
  }

  http::Response put_part(const Parts& parts, const SeenRequest& request) {
    const auto upload = uploads.find(parts.query.at("uploadId"));
    if (upload == uploads.end()) {
      return error(404, "NoSuchUpload");
    }
    const int number = std::stoi(parts.query.at("partNumber"));
    std::string bytes = request.body;
    const auto source = request.headers.find("x-amz-copy-source");
    if (source != request.headers.end()) {
      const auto& from = objects.at(http::uri_decoded(source->second).substr(8));
      const auto& range = request.headers.at("x-amz-copy-source-range");
      const auto first = std::stoul(range.substr(6));
      const auto last = std::stoul(range.substr(range.find('-') + 1));
      bytes = from.substr(first, last - first + 1);
    }
    const std::string tag = "\"tag" + std::to_string(number) + "\"";
    upload->second.parts[number] = std::move(bytes);
    if (source != request.headers.end()) {
      return answer_with(200, "<R><ETag>&quot;tag" + std::to_string(number) + "&quot;</ETag></R>");
    }
    auto response = answer_with(200, "");
    response.headers.emplace_back("ETag", tag);
    return response;
  }

  http::Response complete(const Parts& parts, const SeenRequest& request) {
    const auto upload = uploads.find(parts.query.at("uploadId"));
    if (upload == uploads.end()) {
      return error(404, "NoSuchUpload");
    }
    const auto tags = texts_of(request.body, "ETag");
    std::string whole;
    for (auto& [number, bytes] : upload->second.parts) {
      const bool is_last = number == static_cast<int>(tags.size());
      if (tags[static_cast<std::size_t>(number) - 1] != "\"tag" + std::to_string(number) + "\"") {
        return error(400, "InvalidPart");
      }
      if (!is_last && bytes.size() < 5 << 20) {
        return error(400, "EntityTooSmall");
      }
      whole += bytes;
      bytes = {};  // large ones would be there twice
    }
    objects[upload->second.key] = std::move(whole);
    uploads.erase(upload);
    return answer_with(200, "<R></R>");
  }

  http::Response abort(const Parts& parts) {
    return uploads.erase(parts.query.at("uploadId")) == 0 ? error(404, "NoSuchUpload") : answer_with(204, "");
  }

  http::Response list_uploads() const {
    std::string xml = "<ListMultipartUploadsResult>";
    if (!listed_uploads_) {
      for (const auto& [id, upload] : uploads) {
        xml += "<Upload><Key>" + upload.key + "</Key><UploadId>" + id + "</UploadId></Upload>";
      }
    }
    listed_uploads_ = !listed_uploads_;
    return answer_with(200, xml + "</ListMultipartUploadsResult>");
  }

  std::mutex mutex_;
  Mishap mishap_;
  int upload_count_ = 0;
  mutable bool listed_uploads_ = false;  // one page, then the empty one
  LocalServer server_;
};

}  // namespace waybill::depot
