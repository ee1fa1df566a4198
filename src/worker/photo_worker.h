#pragma once

#include "media/tasks.h"
#include "worker/photo/providers.h"
#include "worker/worker.h"

namespace waybill::worker {

// Analyses and edits a photo by the provider that its record names. The contract tells temp_bucket, where the
// upload lies as s3TempKey says; final_bucket, where the edited photo goes; and maybe `instruction`, what an
// edit is to do. A job whose analysis is in the record already is not analysed again.
class PhotoWorker final : public Worker {
 public:
  Result<Outcome> work(Task& task) const override;

 private:
  const photo::Providers providers_;
};

// {"analysisResult":{"labels":[…],"description":"…","safeSearch":{…}}}
std::string analysis_fields(const media::Analysis& analysis);

// {"s3FinalKey":KEY,"editResult":{"s3Key":KEY,"width":…,"height":…,"format":"jpeg","size":…}}
std::string edit_fields(const std::string& key, const media::Picture& picture);

// Where an edited photo goes: "USER/JOB/" and the beginning of its content's hash. An attempt that is made
// again with another outcome, as of a provider that never draws the same twice, cannot overwrite what a
// record names already.
Result<std::string> final_key(std::string_view user, std::string_view job, const std::string& path,
                              media::Format format);

}  // namespace waybill::worker
