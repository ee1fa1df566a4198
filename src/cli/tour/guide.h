#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/json.h"
#include "base/result.h"
#include "client/jobs_client.h"
#include "client/object_client.h"

namespace waybill::cli::tour {

// A member of an object as text for people: strings without quotes, numbers short; "" where there is none.
std::string text_in(const json::Value& object, std::string_view member);

// A record as a server answered it.
class Record {
 public:
  // Error malformed where it is no JSON object.
  static Result<Record> read(std::string_view body);

  const json::Value& fields() const { return fields_; }
  std::string text(std::string_view field) const { return text_in(fields_, field); }

 private:
  std::unique_ptr<json::Parser> parser_;  // holds the fields
  json::Value fields_;
};

// Shows visitors around a running server: does what they would do, and says on standard output what happened.
//
// Errors are for people, and say what to do.
class Guide {
 public:
  // `clock` and `entropy` outlive it.
  static Result<Guide> open(const std::string& endpoint, const Clock& clock, Entropy& entropy);

  const std::string& endpoint() const { return connection_.endpoint; }

  // Error not_found where the server has no contract of this name in force, or nobody works on its records.
  Status expect_worker(const std::string& contract);

  void say(const std::string& line) const;
  // "  label     text", labels under each other.
  void tell(std::string_view label, const std::string& text) const;

  // A word that no other visit has.
  std::string new_word();

  // `path` is that of its kind, "/v1/text-analyzer/file".
  Result<Record> create(const std::string& path, const std::string& fields) {
    return create_once(path, fields, new_word());
  }
  // The same record for the same key.
  Result<Record> create_once(const std::string& path, const std::string& fields, const std::string& key);
  Result<Record> get(const std::string& path);
  Status upload(const client::ObjectName& name, std::string_view content, const std::string& type);
  // How large it is; told as `label`.
  Status look_at(std::string_view label, const client::ObjectName& name);

  // Waits until the record's state is one of these, and tells how long that took. Error unavailable where it
  // is longer than a minute.
  Result<Record> wait_for(const std::string& path, const std::string& state_field,
                          const std::vector<std::string>& states);
  // What its history says, and where it can be read.
  Status tell_history(const std::string& path);

 private:
  Guide(client::Connection connection, client::JobsClient jobs, client::ObjectClient objects,
        Entropy& entropy)
      : connection_(std::move(connection)),
        jobs_(std::move(jobs)),
        objects_(std::move(objects)),
        entropy_(&entropy) {}

  client::Connection connection_;
  client::JobsClient jobs_;
  client::ObjectClient objects_;
  Entropy* entropy_;
};

}  // namespace waybill::cli::tour
