#include <string>

#include "cli/tour/stations.h"

namespace waybill::cli::tour {
namespace {

constexpr std::string_view text =
    "A waybill goes with the goods, and says what they are and where they go. Whoever takes them over signs "
    "it. If the carrier loses his way, the waybill tells the next one; if the goods are lost, it tells "
    "whose they were. Naïve clerks keep two waybills, and then neither is true. 運送状は一つだけ。\n";

std::string fields_of(const std::string& word) {
  std::string fields;
  json::Writer(fields)
      .begin_object()
      .key("ownerId")
      .string("tour")
      .key("s3Bucket")
      .string("text-analyzer-uploads")
      .key("s3Key")
      .string("tour/" + word + ".txt")
      .key("originalFileName")
      .string("waybill.txt")
      .end_object();
  return fields;
}

void tell_words(const Guide& guide, const json::Value& result) {
  guide.tell("words", text_in(result, "totalWords") + ", " + text_in(result, "uniqueWords") +
                          " of them different, " + text_in(result, "avgWordLength") + " letters on average");
  const auto top = result.find("top10Words");
  std::string often;
  for (json::Elements words(*top); words.next();) {
    often +=
        (often.empty() ? "" : ", ") + text_in(words.value(), "word") + " " + text_in(words.value(), "count");
  }
  guide.tell("most often", often);
}

}  // namespace

Status show_text_analyzer(Guide& guide) {
  WAYBILL_TRY(guide.expect_worker("text-analyzer"));
  const std::string word = guide.new_word();
  WAYBILL_TRY_ASSIGN(const auto file, guide.create("/v1/text-analyzer/file", fields_of(word)));
  const std::string path = "/v1/text-analyzer/file/" + file.text("fileId");
  guide.tell(file.text("status"), "it waits for its upload");
  WAYBILL_TRY(guide.upload({"text-analyzer-uploads", "tour/" + word + ".txt"}, text, "text/plain"));
  WAYBILL_TRY_ASSIGN(const auto ended, guide.wait_for(path, "status", {"COMPLETED", "FAILED"}));
  const auto result = ended.fields().find("result");
  if (!result) {
    return Error{ErrorKind::internal, ended.text("errorMessage"), {}};
  }
  tell_words(guide, *result);
  return guide.tell_history(path);
}

}  // namespace waybill::cli::tour
