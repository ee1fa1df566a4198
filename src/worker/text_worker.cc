#include "worker/text_worker.h"

#include "base/json.h"
#include "text/analyze_file.h"
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
  const auto path = task.file("text");
  WAYBILL_TRY(task.fetch(upload, path, "the upload"));
  text::FileAnalysis analysis;
  analysis.options.temporary_folder = task.folder();
  analysis.options.words_bytes_max = words_bytes_max;
  analysis.options.hash_seed = task.tools().entropy->next();
  analysis.stop = task.stop();
  auto figures = text::analyze_file(path, analysis);
  if (!figures) {
    return text_trouble(figures.error());
  }
  if (!*figures) {
    return passing_trouble("STOPPED", "the worker was stopped before all words were counted");
  }
  return Outcome(Done{result_fields(**figures)});
}

}  // namespace waybill::worker
