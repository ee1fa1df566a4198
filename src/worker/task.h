#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/json.h"
#include "base/result.h"
#include "client/job.h"
#include "client/jobs_client.h"
#include "client/object_client.h"
#include "client/served.h"
#include "media/studio.h"

namespace waybill::worker {

// What all jobs of a process share. Outlives them.
struct Tools {
  const Clock* clock = nullptr;
  Entropy* entropy = nullptr;
  media::Studio* studio = nullptr;
  std::string workflows = {};           // the folder with their files; "": there are none
  std::vector<std::string> guard = {};  // the command line of a program that runs steps::guard_main()
};

// One job in the hands of a worker, and what the worker may do with it. Calls to the server are tried again
// for as long as the job is this worker's.
//
// Thread safety: one thread, that of the slot.
class Task {
 public:
  struct Parts {
    const client::Served& served;
    const client::Job& job;
    client::JobsClient& jobs;
    client::ObjectClient& objects;
    const Tools& tools;
    std::string folder;    // of its own; there, and empty
    std::stop_token stop;  // requested when the job is not wanted any more, or all is to end
  };
  explicit Task(Parts parts) : parts_(std::move(parts)) {}

  const client::Job& job() const { return parts_.job; }
  const Tools& tools() const { return parts_.tools; }
  const std::stop_token& stop() const { return parts_.stop; }

  // Where this job's files go; they are gone with it.
  std::string file(std::string_view name) const { return parts_.folder + "/" + std::string(name); }
  const std::string& folder() const { return parts_.folder; }

  // What the contract tells the worker, with the record's fields filled in; "" where it tells nothing of the
  // name, or a field of it is absent.
  std::string setting(std::string_view name) const;

  // Error of object_trouble(); `what` is the object's part in the work: "the upload".
  Result<client::ObjectInfo> fetch(const client::ObjectName& from, const std::string& to,
                                   const std::string& what, const client::GetOptions& options = {});
  // The same without a file: the bytes are handed over as they come.
  Result<client::ObjectInfo> read(const client::ObjectName& from, client::ByteTaker& taker,
                                  const std::string& what);
  // The bucket is made where it is not there.
  Result<client::ObjectInfo> store(const std::string& from, const client::ObjectName& to,
                                   const std::string& what, const client::PutOptions& options = {});

  // As in the jobs API. `fields` and `spend` are JSON objects, "" for none.
  Status progress(std::string_view fields);
  Status step(std::string_view step, std::string_view fields, std::string_view spend);

  client::JobsClient& jobs() { return parts_.jobs; }
  client::ObjectClient& objects() { return parts_.objects; }
  // The path of another kind of records of the job's contract.
  std::string records(std::string_view kind) const {
    return "/v1/" + parts_.served.contract + "/" + std::string(kind);
  }
  client::Calling calling() const;

  // A line in the log that names the job, and what it is followed by.
  void log(std::string_view text) const;

 private:
  Parts parts_;
};

// "text-analyzer/file/ID", and the fields by which it is followed: " correlationId=… traceId=…".
std::string words_for(const client::Served& served, const client::Job& job);

// `text` with each {field} filled in from the record; "" where one is absent, or neither text nor number.
std::string filled_in(std::string_view text, const json::Value& record);

}  // namespace waybill::worker
