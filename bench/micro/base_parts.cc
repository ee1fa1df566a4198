// base: reading requests as JSON, writing texts, ids of answers.
#include <benchmark/benchmark.h>

#include <memory>

#include "base/bytes.h"
#include "base/entropy.h"
#include "base/json.h"
#include "part.h"
#include "samples.h"

namespace waybill::micro {
namespace {

Work parse_json(std::string_view text) {
  const auto parser = std::make_shared<json::Parser>();
  const auto padded = std::make_shared<const PaddedText>(text);
  return {.once =
              [parser, padded] {
                const auto parsed = parser->parse(padded->view());
                benchmark::DoNotOptimize(parsed);
              },
          .bytes = static_cast<int64_t>(text.size())};
}

Work parse_get_item() {
  return parse_json(get_item_body());
}
Work parse_put_item() {
  return parse_json(put_item_body());
}
Work parse_update_item() {
  return parse_json(update_item_body());
}
Work parse_query() {
  return parse_json(query_body());
}

// Text as most of it is: a kilobyte of it without anything to escape, in pieces as long as values are.
Work write_strings() {
  static constexpr std::string_view value = "uploads/user-12345/01HF9GZ8Q4W3T7R2M6N5K1J0AB/IMG_114502.jpg";
  static constexpr int values = 16;
  auto out = std::make_shared<std::string>();
  return {.once =
              [out] {
                out->clear();
                for (int i = 0; i < values; ++i) {
                  json::append_string(*out, value);
                }
                benchmark::DoNotOptimize(out->data());
              },
          .bytes = static_cast<int64_t>(value.size()) * values,
          .items = values};
}

std::string binary_sample() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes.push_back(static_cast<char>(i));
  }
  return bytes;
}

Work write_base64() {
  const std::string bytes = binary_sample();
  auto out = std::make_shared<std::string>();
  return {.once =
              [out, bytes] {
                out->clear();
                append_base64(*out, bytes);
                benchmark::DoNotOptimize(out->data());
              },
          .bytes = static_cast<int64_t>(bytes.size())};
}

Work read_base64() {
  std::string text;
  append_base64(text, binary_sample());
  return {.once =
              [text] {
                const auto bytes = decode_base64(text);
                benchmark::DoNotOptimize(bytes);
              },
          .bytes = static_cast<int64_t>(text.size())};
}

Work request_id() {
  auto entropy = std::make_shared<SystemEntropy>();
  return {.once =
              [entropy] {
                const auto id = make_request_id(*entropy);
                benchmark::DoNotOptimize(id);
              },
          .bytes = 52};
}

}  // namespace

void add_base_parts(Parts& parts) {
  parts.push_back({"base.parse_json_get_item", parse_get_item});
  parts.push_back({"base.parse_json_put_item", parse_put_item});
  parts.push_back({"base.parse_json_update_item", parse_update_item});
  parts.push_back({"base.parse_json_query", parse_query});
  parts.push_back({"base.write_json_strings", write_strings});
  parts.push_back({"base.write_base64", write_base64});
  parts.push_back({"base.read_base64", read_base64});
  parts.push_back({"base.request_id", request_id});
}

}  // namespace waybill::micro
