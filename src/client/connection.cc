#include "client/connection.h"

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

namespace waybill::client {
namespace {

const http::SigningKey any_key{"any", "any"};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

std::string either(std::string first, std::string second) {
  return first.empty() ? std::move(second) : std::move(first);
}

std::optional<http::SigningKey> key_of_environment(const std::string& prefix) {
  http::SigningKey key{variable((prefix + "ACCESS_KEY_ID").c_str()),
                       variable((prefix + "SECRET_ACCESS_KEY").c_str()),
                       variable((prefix + "SESSION_TOKEN").c_str())};
  return key.id.empty() || key.secret.empty() ? std::nullopt : std::optional(std::move(key));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  return text.substr(0, text.find_last_not_of(blank) + 1);
}

// An INI file: "[default]", then "aws_access_key_id = …".
std::optional<http::SigningKey> key_of_file(const std::string& path, const std::string& profile) {
  std::ifstream file(path);
  http::SigningKey key;
  bool is_ours = false;
  for (std::string line; std::getline(file, line);) {
    const auto text = trimmed(line);
    if (text.starts_with('[')) {
      is_ours = text == "[" + profile + "]";
      continue;
    }
    const auto equals = text.find('=');
    if (!is_ours || equals == std::string_view::npos) {
      continue;
    }
    const auto name = trimmed(text.substr(0, equals));
    const std::string value(trimmed(text.substr(equals + 1)));
    if (name == "aws_access_key_id") {
      key.id = value;
    } else if (name == "aws_secret_access_key") {
      key.secret = value;
    } else if (name == "aws_session_token") {
      key.session_token = value;
    }
  }
  return key.id.empty() || key.secret.empty() ? std::nullopt : std::optional(std::move(key));
}

std::optional<http::SigningKey> key_of_aws() {
  if (auto key = key_of_environment("AWS_")) {
    return key;
  }
  const auto file = either(variable("AWS_SHARED_CREDENTIALS_FILE"), variable("HOME") + "/.aws/credentials");
  return key_of_file(file, either(variable("AWS_PROFILE"), "default"));
}

}  // namespace

http::SigningKey find_key() {
  if (auto own = key_of_environment("WAYBILL_")) {
    return *std::move(own);
  }
  return key_of_aws().value_or(any_key);
}

http::SigningKey find_objects_key() {
  if (auto of_aws = key_of_aws()) {
    return *std::move(of_aws);
  }
  return key_of_environment("WAYBILL_").value_or(any_key);
}

std::string find_region() {
  return either(either(variable("AWS_REGION"), variable("AWS_DEFAULT_REGION")), "us-east-1");
}

Result<std::string> read_endpoint(const std::string& what, std::string url) {
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    return invalid(what + " takes a URL that begins with http:// or https://");
  }
  while (url.ends_with('/')) {
    url.pop_back();
  }
  return url;
}

}  // namespace waybill::client
