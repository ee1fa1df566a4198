#include "worker/text_worker.h"

#include <optional>
#include <utility>

#include "base/json.h"
#include "text/analyzer.h"
#include "worker/trouble.h"

namespace waybill::worker {
namespace {

// Of each text that is counted at the time; what has more different words goes on in files.
constexpr std::size_t words_bytes_max = std::size_t{64} << 20;

Error text_trouble(const Error& error) {
  switch (error.kind) {
    case ErrorKind::invalid:
      return final_trouble("TEXT_INVALID", error.message);
    case ErrorKind::unavailable:
      return passing_trouble("DISK_TROUBLE", error.message);
    default:
      return final_trouble("TEXT_FAILED", error.message);
  }
}

// Counts words while they arrive. What is wrong with a text shows at the end: bytes that seem to be no text
// may have been damaged on their way, and then they come again.
class Counting final : public client::ByteTaker {
 public:
  explicit Counting(text::AnalyzerOptions options) : options_(std::move(options)) {}

  Status begin() override {
    analyzer_ = text::Analyzer::open(options_);
    return {};
  }

  Status take(std::string_view bytes) override {
    if (analyzer_) {
      static_cast<void>(analyzer_->feed(bytes));  // finish() gives the error again
    }
    return {};
  }

  // As text::Analyzer's.
  Result<std::optional<text::Figures>> finish(const std::stop_token& stop) {
    if (!analyzer_) {
      return analyzer_.error();
    }
    return analyzer_->finish(stop);
  }

 private:
  const text::AnalyzerOptions options_;
  Result<text::Analyzer> analyzer_ = Error{ErrorKind::internal, "nothing has arrived", {}};
};

}  // namespace

std::string result_fields(const text::Figures& figures) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("result").begin_object();
  writer.key("totalWords").integer(static_cast<int64_t>(figures.total_words));
  writer.key("uniqueWords").integer(static_cast<int64_t>(figures.unique_words));
  writer.key("avgWordLength").real(figures.average_word_length);
  writer.key("top10Words").begin_array();
  for (const auto& [word, count] : figures.top_words) {
    writer.begin_object().key("word").string(word);
    writer.key("count").integer(static_cast<int64_t>(count)).end_object();
  }
  writer.end_array().end_object().end_object();
  return fields;
}

Result<Outcome> TextWorker::work(Task& task) const {
  const client::ObjectName upload{std::string(task.job().text("s3Bucket")),
                                  std::string(task.job().text("s3Key"))};
  if (upload.bucket.empty() || upload.key.empty()) {
    return final_trouble("OBJECT_MISSING", "the record names no upload: set s3Bucket and s3Key");
  }
  text::AnalyzerOptions options;
  options.temporary_folder = task.folder();
  options.words_bytes_max = words_bytes_max;
  options.hash_seed = task.tools().entropy->next();
  Counting counting(std::move(options));
  WAYBILL_TRY(task.read(upload, counting, "the upload"));
  const auto figures = counting.finish(task.stop());
  if (!figures) {
    return text_trouble(figures.error());
  }
  if (!*figures) {
    return passing_trouble("STOPPED", "the worker was stopped before all words were counted");
  }
  return Outcome(Done{result_fields(**figures)});
}

}  // namespace waybill::worker
