#pragma once

#include <string>

#include "worker/photo/provider.h"

namespace waybill::worker::photo {

// ByteDance's Seedream by the Ark API, images/generations with an image to begin from. It makes images and
// says nothing of them: photos are analysed here, as the stub does.
class SeedreamProvider final : public Provider {
 public:
  struct Options {
    std::string key;  // of Ark; "": there is none
    std::string endpoint = "https://ark.ap-southeast.bytepluses.com";
    std::string model = "seedream-4-0-250828";
    std::string size = "2K";
    int64_t answer_ms_max = 90'000;
    int64_t patience_ms = 180'000;
  };
  explicit SeedreamProvider(Options options) : options_(std::move(options)) {}

  Result<media::Analysis> analyse(const Shot& shot) const override;
  Result<media::Picture> edit(const Shot& shot, const std::string& output,
                              media::Format format) const override;

 private:
  const Options options_;
};

// The image in an answer of Ark, in Base64. Errors are those of provider.h.
Result<std::string> read_seedream_image(std::string_view body);

}  // namespace waybill::worker::photo
