#pragma once

#include "text/figures.h"
#include "worker/worker.h"

namespace waybill::worker {

// Counts the words of an uploaded text. Of the record it reads s3Bucket and s3Key, and sets `result`.
class TextWorker final : public Worker {
 public:
  Result<Outcome> work(Task& task) const override;
};

// {"result":{"totalWords":1200,"uniqueWords":340,"avgWordLength":4.7,"top10Words":[{"word":"the","count":80},…]}}
std::string result_fields(const text::Figures& figures);

}  // namespace waybill::worker
