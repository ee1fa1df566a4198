#include "worker/photo/providers.h"

#include <charconv>
#include <cstdlib>

#include "base/log.h"
#include "base/private_file.h"
#include "worker/photo/gemini_provider.h"
#include "worker/photo/seedream_provider.h"
#include "worker/photo/stub_provider.h"

namespace waybill::worker::photo {
namespace {

constexpr std::size_t key_bytes_max = 4'096;
constexpr int64_t seconds_max = 3'600;

std::string variable_or(const std::string& name, const std::string& otherwise) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr || *value == '\0' ? otherwise : value;
}

// A key with control characters would be two headers.
std::string one_line(std::string key) {
  while (!key.empty() && static_cast<unsigned char>(key.back()) <= ' ') {
    key.pop_back();
  }
  return key.find_first_of("\r\n") == std::string::npos ? key : std::string();
}

std::string key_of(const std::string& name) {
  if (auto key = one_line(variable_or(name, "")); !key.empty()) {
    return key;
  }
  const auto path = variable_or(name + "_FILE", "");
  if (path.empty()) {
    return {};
  }
  auto key = read_private_file(path, "key file " + path, key_bytes_max);
  if (!key) {
    log_error(name + "_FILE: " + key.error().message);
    return {};
  }
  return one_line(*std::move(key));
}

int64_t milliseconds_or(const std::string& name, int64_t otherwise_ms) {
  const auto text = variable_or(name, "");
  int64_t seconds = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool is_good =
      problem == std::errc() && end == text.data() + text.size() && seconds > 0 && seconds <= seconds_max;
  if (!text.empty() && !is_good) {
    log_error(name + " takes whole seconds from 1 to " + std::to_string(seconds_max));
  }
  return is_good ? seconds * 1000 : otherwise_ms;
}

GeminiProvider::Options gemini_options() {
  GeminiProvider::Options options;
  options.key = key_of("GEMINI_API_KEY");
  options.endpoint = variable_or("WAYBILL_GEMINI_ENDPOINT", options.endpoint);
  options.model = variable_or("WAYBILL_GEMINI_MODEL", options.model);
  options.image_model = variable_or("WAYBILL_GEMINI_IMAGE_MODEL", options.image_model);
  options.answer_ms_max = milliseconds_or("WAYBILL_PROVIDER_TIMEOUT_S", options.answer_ms_max);
  options.patience_ms = milliseconds_or("WAYBILL_PROVIDER_PATIENCE_S", options.patience_ms);
  return options;
}

SeedreamProvider::Options seedream_options() {
  SeedreamProvider::Options options;
  options.key = key_of("ARK_API_KEY");
  options.endpoint = variable_or("WAYBILL_SEEDREAM_ENDPOINT", options.endpoint);
  options.model = variable_or("WAYBILL_SEEDREAM_MODEL", options.model);
  options.answer_ms_max = milliseconds_or("WAYBILL_PROVIDER_TIMEOUT_S", options.answer_ms_max);
  options.patience_ms = milliseconds_or("WAYBILL_PROVIDER_PATIENCE_S", options.patience_ms);
  return options;
}

}  // namespace

Providers::Providers()
    : stub_(std::make_unique<StubProvider>()),
      gemini_(std::make_unique<GeminiProvider>(gemini_options())),
      seedream_(std::make_unique<SeedreamProvider>(seedream_options())) {}

const Provider* Providers::find(std::string_view name) const {
  if (name == "stub") {
    return stub_.get();
  }
  if (name == "gemini") {
    return gemini_.get();
  }
  return name == "seedream" ? seedream_.get() : nullptr;
}

}  // namespace waybill::worker::photo
