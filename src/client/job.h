#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace waybill::client {

// A record that this worker holds by a lease.
class Job {
 public:
  // Reads the answer of a claim of one; nothing where there was no work. Error malformed where it is no such
  // answer. `records` is the path of its kind: "/v1/text-analyzer/file".
  static Result<std::optional<Job>> read(std::string_view records, std::string_view body);

  const std::string& id() const { return id_; }
  const std::string& path() const { return path_; }    // "/v1/text-analyzer/file/01J…", encoded
  const std::string& lease() const { return lease_; }  // the token
  int64_t attempt() const { return attempt_; }

  // As it was when it was claimed. An object; values live as long as the job does.
  const json::Value& record() const { return record_; }

  // A field of text, or of a whole number; "" and nothing where the record has none.
  std::string_view text(std::string_view field) const;
  std::optional<int64_t> integer(std::string_view field) const;

 private:
  std::unique_ptr<json::Parser> parser_;  // holds the record
  json::Value record_;
  std::string id_;
  std::string path_;
  std::string lease_;
  int64_t attempt_ = 1;
};

}  // namespace waybill::client
