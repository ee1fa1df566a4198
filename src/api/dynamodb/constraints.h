#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// What the service asks of single values: lengths, ranges, patterns, words.
namespace waybill::api::dynamodb {

// Collects what is wrong with the values of a request, in the order of the calls. Paths are in the service's
// spelling: "tableName", "keySchema.1.member.keyType". Checks of absent values pass; ask not_null for them.
class Constraints {
 public:
  void not_null(std::string_view path, bool present);
  template <typename T>
  void not_null(std::string_view path, const std::optional<T>& value) {
    not_null(path, value.has_value());
  }

  void length_min(std::string_view path, const std::optional<std::string_view>& value, std::size_t least);
  void length_max(std::string_view path, const std::optional<std::string_view>& value, std::size_t most);
  // [a-zA-Z0-9_.-]+
  void name_pattern(std::string_view path, const std::optional<std::string_view>& value);
  void one_of(std::string_view path, const std::optional<std::string_view>& value,
              std::initializer_list<std::string_view> allowed);
  void value_min(std::string_view path, const std::optional<int64_t>& value, int64_t least);
  void value_max(std::string_view path, const std::optional<int64_t>& value, int64_t most);

  // "Value '<shown>' at '<path>' failed to satisfy constraint: <rule>"; all that the others don't cover.
  void violated(std::string_view path, std::string_view shown, std::string_view rule);
  // "Value at '<path>' failed …": the form the service has for collections of structures.
  void violated(std::string_view path, std::string_view rule);
  void add(std::string text);

  bool empty() const { return texts_.empty(); }

  // Kind invalid: "2 validation errors detected: …; …". The service names ten of them at most.
  Status status() const;

 private:
  std::vector<std::string> texts_;
};

inline std::string length_at_least(std::size_t least) {
  return "Member must have length greater than or equal to " + std::to_string(least);
}
inline std::string length_at_most(std::size_t most) {
  return "Member must have length less than or equal to " + std::to_string(most);
}

inline constexpr std::size_t name_length_min = 3;  // of tables and indexes
inline constexpr std::size_t name_length_max = 255;

// The name in arn:aws:dynamodb:<region>:<account>:table/<name>; any other text is given back as it is.
std::string_view table_name_of(std::string_view name_or_arn);

// The table name of a data-plane request: not null, not empty, at most 255, of the right characters; may be
// an ARN. (A name of one or two characters is merely not found there.)
void check_table_name(Constraints& constraints, const std::optional<std::string_view>& name_or_arn,
                      std::string_view path = "tableName");

// The table name of a control-plane request about an existing table: the name without its ARN, or the
// service's error for an absent or impossible one.
Result<std::string_view> existing_table_name(const std::optional<std::string_view>& name_or_arn);

// True where `name` is not empty and has characters of [a-zA-Z0-9_.-] only.
bool is_name(std::string_view name);

}  // namespace waybill::api::dynamodb
