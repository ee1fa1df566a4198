#include "worker/photo/seedream_provider.h"

#include <optional>
#include <utility>

#include "base/json.h"
#include "worker/photo/exchange.h"
#include "worker/photo/json_members.h"
#include "worker/photo/post.h"
#include "worker/photo/stub_provider.h"
#include "worker/trouble.h"

namespace waybill::worker::photo {
namespace {

constexpr int64_t photo_bytes_max = 10'000'000;

Error bad_answer(const std::string& why) {
  return passing_trouble("PROVIDER_BAD_ANSWER", "Seedream's answer cannot be used: " + why);
}

// "InputImageSensitiveContentDetected: …", of {"error":{"code":"…","message":"…"}}; "" where there is none.
std::string error_words(const json::Value& object) {
  const auto error = member(object, "error");
  if (!error) {
    return {};
  }
  std::string words(text_of(*error, "code"));
  const auto message = text_of(*error, "message");
  return words.append(words.empty() || message.empty() ? "" : ": ").append(message);
}

std::string read_refusal(std::string_view body) {
  json::Parser parser;
  const auto root = parser.parse_copy(body);
  return root ? error_words(*root) : std::string();
}

// {"model":"…","prompt":"…","image":"data:image/jpeg;base64,…","response_format":"b64_json",…}
std::string request_body(const std::string& model, const std::string& size, std::string_view instruction,
                         const std::string& photo) {
  std::string body;
  body.reserve(photo.size() + 4096);
  json::Writer writer(body);
  writer.begin_object().key("model").string(model).key("prompt").string(instruction);
  writer.key("image").string("data:image/jpeg;base64," + photo).key("size").string(size);
  writer.key("sequential_image_generation").string("disabled");
  writer.key("response_format").string("b64_json");
  writer.key("stream").boolean(false).key("watermark").boolean(false).end_object();
  return body;
}

}  // namespace

Result<std::string> read_seedream_image(std::string_view body) {
  json::Parser parser;
  const auto root = parser.parse_copy(body);
  if (!root) {
    return bad_answer("it is no JSON");
  }
  const auto data = member(*root, "data");
  json::Value first;
  bool is_there = false;
  if (data && data->is_array()) {
    json::Elements each(*data);
    is_there = each.next();
    first = is_there ? each.value() : first;
  }
  const auto refused = is_there ? error_words(first) : error_words(*root);
  if (!refused.empty()) {
    return final_trouble("PROVIDER_REFUSED", "Seedream will not work on this photo: " + refused);
  }
  const auto image = is_there ? text_of(first, "b64_json") : std::string_view();
  if (image.empty()) {
    return bad_answer("it has no image");
  }
  return std::string(image);
}

Result<media::Analysis> SeedreamProvider::analyse(const Shot& shot) const {
  return StubProvider().analyse(shot);
}

Result<media::Picture> SeedreamProvider::edit(const Shot& shot, const std::string& output,
                                              media::Format format) const {
  if (options_.key.empty()) {
    return final_trouble("PROVIDER_NOT_CONFIGURED",
                         "there is no key for Seedream here: set ARK_API_KEY or ARK_API_KEY_FILE");
  }
  WAYBILL_TRY_ASSIGN(const auto photo, copy_for_others(shot, photo_bytes_max));
  const auto instruction = shot.instruction.empty() ? usual_instruction : std::string_view(shot.instruction);
  Asking asking;
  asking.name = "Seedream";
  asking.url = options_.endpoint + "/api/v3/images/generations";
  asking.headers = {"Authorization: Bearer " + options_.key};
  asking.answer_ms_max = options_.answer_ms_max;
  asking.patience_ms = options_.patience_ms;
  asking.clock = shot.clock;
  WAYBILL_TRY_ASSIGN(const auto answer,
                     post_json(asking, request_body(options_.model, options_.size, instruction, photo),
                               read_refusal, shot.stop));
  WAYBILL_TRY_ASSIGN(const auto image, read_seedream_image(answer));
  return take_from_others(shot, image, output, format);
}

}  // namespace waybill::worker::photo
