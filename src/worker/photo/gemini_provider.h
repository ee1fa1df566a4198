#pragma once

#include <string>

#include "worker/photo/provider.h"

namespace waybill::worker::photo {

// Google's Gemini API, models.generateContent: a model that answers in JSON analyses, one that answers with
// images edits.
class GeminiProvider final : public Provider {
 public:
  struct Options {
    std::string key;  // of Google AI Studio; "": there is none
    std::string endpoint = "https://generativelanguage.googleapis.com";
    std::string model = "gemini-2.5-flash";
    std::string image_model = "gemini-2.5-flash-image";
    int64_t answer_ms_max = 90'000;
    int64_t patience_ms = 180'000;
  };
  explicit GeminiProvider(Options options) : options_(std::move(options)) {}

  Result<media::Analysis> analyse(const Shot& shot) const override;
  Result<media::Picture> edit(const Shot& shot, const std::string& output,
                              media::Format format) const override;

 private:
  Result<std::string> ask(const Shot& shot, const std::string& model, std::string body) const;

  const Options options_;
};

// What is in the answers of Gemini. Errors are those of provider.h.

// The labels, sentence and levels that were asked for in `responseSchema`.
Result<media::Analysis> read_gemini_analysis(std::string_view body);

// The image of the answer, in Base64.
Result<std::string> read_gemini_image(std::string_view body);

}  // namespace waybill::worker::photo
