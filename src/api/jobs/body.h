#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/jobs/call.h"
#include "api/jobs/record_json.h"
#include "job/patch.h"

namespace waybill::api::jobs {

inline constexpr int64_t lease_s_max = 12 * 60 * 60;
inline constexpr std::size_t why_bytes_max = 4096;

// Reads the members of a request's body. What is wrong is remembered, the first of it, and told by status(),
// which is asked once all members have been read: others than those are errors as well.
class Body {
 public:
  Body(const Input& input, const contract::Record& record) : input_(input), record_(record) {}

  // "" where there is none.
  std::string text(std::string_view name, std::size_t bytes_max = SIZE_MAX);
  std::string why() { return text("why", why_bytes_max); }  // as histories keep it
  std::string required_text(std::string_view name);         // not empty
  std::optional<int64_t> integer(std::string_view name, int64_t least, int64_t most);
  bool boolean(std::string_view name, bool otherwise);
  job::Patch patch(std::string_view name);
  // A text, or a whole number as text.
  std::string step(std::string_view name);
  // {"name": 1.5}, values as texts.
  std::vector<std::pair<std::string, std::string>> numbers(std::string_view name);

  Status status();

 private:
  std::optional<json::Value> take(std::string_view name, json::Type type);
  void refuse(std::string_view name, const std::string& what);

  const Input& input_;
  const contract::Record& record_;
  std::vector<std::string_view> known_;
  Status status_;
};

}  // namespace waybill::api::jobs
