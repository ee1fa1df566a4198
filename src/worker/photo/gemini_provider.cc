#include "worker/photo/gemini_provider.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/json.h"
#include "media/labels.h"
#include "worker/photo/exchange.h"
#include "worker/photo/json_members.h"
#include "worker/photo/post.h"
#include "worker/trouble.h"

namespace waybill::worker::photo {
namespace {

// A request has at most 20 MB, and Base64 is a third larger than what it stands for.
constexpr int64_t photo_bytes_max = 14'000'000;
constexpr std::size_t labels_max = 20;
constexpr std::size_t label_bytes_max = 200;
constexpr std::size_t description_bytes_max = 2'000;

constexpr std::string_view analysis_instruction =
    "Describe this photo for a photo library. Give up to 12 labels of what is in it, each with your "
    "confidence from 0 to 1, the surest first; one or two sentences that describe it; and how likely it is "
    "to show adult content, and violence.";

constexpr std::string_view analysis_schema =
    R"({"type":"OBJECT","properties":{"labels":{"type":"ARRAY","items":{"type":"OBJECT","properties":)"
    R"({"name":{"type":"STRING"},"confidence":{"type":"NUMBER"}},"required":["name","confidence"]}},)"
    R"("description":{"type":"STRING"},"safeSearch":{"type":"OBJECT","properties":{)"
    R"("adult":{"type":"STRING","enum":["VERY_UNLIKELY","UNLIKELY","POSSIBLE","LIKELY","VERY_LIKELY"]},)"
    R"("violence":{"type":"STRING","enum":["VERY_UNLIKELY","UNLIKELY","POSSIBLE","LIKELY","VERY_LIKELY"]}},)"
    R"("required":["adult","violence"]}},"required":["labels","description","safeSearch"]})";

Error bad_answer(const std::string& why) {
  return passing_trouble("PROVIDER_BAD_ANSWER", "Gemini's answer cannot be used: " + why);
}

// {"error":{"code":429,"message":"…","status":"RESOURCE_EXHAUSTED"}}
std::string read_refusal(std::string_view body) {
  json::Parser parser;
  const auto root = parser.parse_copy(body);
  const auto error = root ? member(*root, "error") : std::nullopt;
  if (!error) {
    return {};
  }
  std::string words(text_of(*error, "status"));
  const auto message = text_of(*error, "message");
  return words.append(words.empty() || message.empty() ? "" : ": ").append(message);
}

// The content's parts; a refusal where the answer says that it is one.
Result<json::Value> read_parts(const json::Value& root) {
  if (const auto feedback = member(root, "promptFeedback")) {
    if (const auto reason = text_of(*feedback, "blockReason"); !reason.empty()) {
      return final_trouble("PROVIDER_REFUSED", "Gemini will not work on this photo: " + std::string(reason));
    }
  }
  const auto candidates = member(root, "candidates");
  if (!candidates || !candidates->is_array() || candidates->size() == 0) {
    return bad_answer("it has no candidates");
  }
  json::Elements each(*candidates);
  each.next();
  const auto reason = text_of(each.value(), "finishReason");
  if (!reason.empty() && reason != "STOP" && reason != "MAX_TOKENS" && reason != "OTHER") {
    return final_trouble("PROVIDER_REFUSED", "Gemini will not work on this photo: " + std::string(reason));
  }
  const auto content = member(each.value(), "content");
  const auto parts = content ? member(*content, "parts") : std::nullopt;
  if (!parts || !parts->is_array()) {
    return bad_answer(reason.empty() ? "it has no content" : "it ended with " + std::string(reason));
  }
  return *parts;
}

std::string cut(std::string_view text, std::size_t bytes_max) {
  std::size_t end = std::min(text.size(), bytes_max);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
    --end;
  }
  return std::string(text.substr(0, end));
}

std::vector<media::Label> read_labels(const json::Value& list) {
  std::vector<media::Label> labels;
  for (json::Elements each(list); each.next() && labels.size() < labels_max;) {
    const auto name = text_of(each.value(), "name");
    const auto confidence = member(each.value(), "confidence");
    if (name.empty() || !confidence || confidence->type() != json::Type::number) {
      continue;
    }
    // Models like to answer in percent, or a little beyond 1.
    labels.push_back({cut(name, label_bytes_max), std::clamp(confidence->number(), 0.0, 1.0)});
  }
  std::ranges::sort(labels, [](const media::Label& a, const media::Label& b) {
    return a.confidence != b.confidence ? a.confidence > b.confidence : a.name < b.name;
  });
  return labels;
}

Result<media::Analysis> read_analysis_text(std::string_view text) {
  json::Parser parser;
  const auto root = parser.parse_copy(text);
  const auto labels = root ? member(*root, "labels") : std::nullopt;
  const auto safe_search = root ? member(*root, "safeSearch") : std::nullopt;
  if (!labels || !labels->is_array() || !safe_search) {
    return bad_answer("it is not the JSON that was asked for");
  }
  const auto adult = media::likelihood_named(text_of(*safe_search, "adult"));
  const auto violence = media::likelihood_named(text_of(*safe_search, "violence"));
  if (!adult || !violence) {
    return bad_answer("its levels are none of those that were asked for");
  }
  media::Analysis analysis;
  analysis.labels = read_labels(*labels);
  analysis.description = cut(text_of(*root, "description"), description_bytes_max);
  analysis.safe_search = {*adult, *violence};
  return analysis;
}

// {"contents":[{"parts":[{"text":"…"},{"inline_data":{"mime_type":"image/jpeg","data":"…"}}]}],"generationConfig":…}
std::string request_body(std::string_view instruction, const std::string& photo, std::string_view config) {
  std::string body;
  body.reserve(photo.size() + 4096);
  json::Writer writer(body);
  writer.begin_object().key("contents").begin_array().begin_object().key("parts").begin_array();
  writer.begin_object().key("text").string(instruction).end_object();
  writer.begin_object().key("inline_data").begin_object();
  writer.key("mime_type").string("image/jpeg").key("data").string(photo);
  writer.end_object().end_object();
  writer.end_array().end_object().end_array();
  writer.key("generationConfig").raw(config).end_object();
  return body;
}

}  // namespace

Result<media::Analysis> read_gemini_analysis(std::string_view body) {
  json::Parser parser;
  const auto root = parser.parse_copy(body);
  if (!root) {
    return bad_answer("it is no JSON");
  }
  WAYBILL_TRY_ASSIGN(const auto parts, read_parts(*root));
  std::string text;
  for (json::Elements each(parts); each.next();) {
    text += text_of(each.value(), "text");
  }
  return read_analysis_text(text);
}

Result<std::string> read_gemini_image(std::string_view body) {
  json::Parser parser;
  const auto root = parser.parse_copy(body);
  if (!root) {
    return bad_answer("it is no JSON");
  }
  WAYBILL_TRY_ASSIGN(const auto parts, read_parts(*root));
  for (json::Elements each(parts); each.next();) {
    auto data = member(each.value(), "inlineData");
    data = data ? data : member(each.value(), "inline_data");
    if (const auto image = data ? text_of(*data, "data") : std::string_view(); !image.empty()) {
      return std::string(image);
    }
  }
  return bad_answer("it has no image");
}

Result<std::string> GeminiProvider::ask(const Shot& shot, const std::string& model, std::string body) const {
  Asking asking;
  asking.name = "Gemini";
  asking.url = options_.endpoint + "/v1beta/models/" + model + ":generateContent";
  asking.headers = {"x-goog-api-key: " + options_.key};
  asking.answer_ms_max = options_.answer_ms_max;
  asking.patience_ms = options_.patience_ms;
  asking.clock = shot.clock;
  auto answer = post_json(asking, std::move(body), read_refusal, shot.stop);
  // A wrong key is a 400 to Gemini.
  if (!answer && answer.error().message.find("API key not valid") != std::string::npos) {
    answer.error().detail = "PROVIDER_KEY_REFUSED";
  }
  return answer;
}

Result<media::Analysis> GeminiProvider::analyse(const Shot& shot) const {
  if (options_.key.empty()) {
    return final_trouble("PROVIDER_NOT_CONFIGURED",
                         "there is no key for Gemini here: set GEMINI_API_KEY or GEMINI_API_KEY_FILE");
  }
  WAYBILL_TRY_ASSIGN(const auto photo, copy_for_others(shot, photo_bytes_max));
  const std::string config =
      R"({"responseMimeType":"application/json","responseSchema":)" + std::string(analysis_schema) + "}";
  WAYBILL_TRY_ASSIGN(const auto answer,
                     ask(shot, options_.model, request_body(analysis_instruction, photo, config)));
  return read_gemini_analysis(answer);
}

Result<media::Picture> GeminiProvider::edit(const Shot& shot, const std::string& output,
                                            media::Format format) const {
  if (options_.key.empty()) {
    return final_trouble("PROVIDER_NOT_CONFIGURED",
                         "there is no key for Gemini here: set GEMINI_API_KEY or GEMINI_API_KEY_FILE");
  }
  WAYBILL_TRY_ASSIGN(const auto photo, copy_for_others(shot, photo_bytes_max));
  const auto instruction = shot.instruction.empty() ? usual_instruction : std::string_view(shot.instruction);
  WAYBILL_TRY_ASSIGN(const auto answer,
                     ask(shot, options_.image_model,
                         request_body(instruction, photo, R"({"responseModalities":["TEXT","IMAGE"]})")));
  WAYBILL_TRY_ASSIGN(const auto image, read_gemini_image(answer));
  return take_from_others(shot, image, output, format);
}

}  // namespace waybill::worker::photo
