#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace waybill {

// What went wrong, by what the caller can do about it. Each service turns a kind into its own error
// name and status code in one file.
enum class ErrorKind : unsigned char {
  invalid,           // the request breaks a rule: correct it
  malformed,         // the bytes are not a request at all
  not_found,         // the named resource does not exist
  policy_not_found,  // the resource is there, but has no policy
  in_use,            // the resource exists already, or is being changed
  limit_exceeded,    // a quota of the service
  condition_failed,  // the stated condition did not hold
  duplicate_item,    // what is to be new is there already
  iterator_expired,  // of a stream: it was given out too long ago
  data_trimmed,      // of a stream: what is asked for is too old
  table_not_found,   // as not_found, in the words of backups and recovery
  table_in_use,
  table_exists,
  backup_not_found,
  backup_in_use,
  recovery_unavailable,  // the table was not set up to be taken back in time
  invalid_restore_time,
  invalid_export_time,
  export_not_found,
  export_conflict,  // an export's token was used before with other parameters
  import_not_found,
  import_conflict,
  token_mismatch,   // an idempotency token was used before with other parameters
  collection_full,  // an item collection reached its largest size
  queue_not_found,
  queue_exists,           // a queue of that name, with other attributes
  purge_in_progress,      // the last one was less than a minute ago
  too_many_in_flight,     // messages of one queue that were received and not deleted
  receipt_invalid,        // it was never given out, or is of another queue
  message_not_in_flight,  // the time of the receive has run out
  attribute_unknown,      // of a queue
  attribute_invalid,
  message_invalid,  // it has characters that no message may have
  parameter_missing,
  batch_empty,
  batch_too_long,  // too many entries
  batch_too_large,
  batch_id_invalid,
  batch_id_repeated,
  task_not_found,    // one that moves messages
  record_exists,     // of the jobs API: a record with that id
  lease_lost,        // somebody else has the job now, or nobody
  version_mismatch,  // the record is another than the caller has seen
  key_in_use,        // an idempotency key that stands for another request
  quota_exceeded,    // of a tenant
  bad_digest,        // the bytes are not those that the given checksum is of
  incomplete_body,   // they are fewer, or more, than was announced
  unsupported,
  unknown_operation,
  missing_authentication,
  incomplete_signature,
  invalid_signature,
  unknown_client,
  access_denied,
  too_large,    // the body exceeds what the server takes
  unavailable,  // try again later
  corruption,   // stored data is damaged; the store refuses further transactions
  internal,
};

struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;  // for the caller, in the words of the service
  std::string detail;   // for the operator's log; may be empty
};

inline Error invalid(std::string message) {
  return Error{ErrorKind::invalid, std::move(message), {}};
}

// A value or an Error; the only way that failure travels in this project. Member names are those of
// std::expected. Dropping a Result is a compiler warning, and warnings are errors.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T&& value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(const T& value) : state_(std::in_place_index<0>, value) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    WAYBILL_CHECK(has_value());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    WAYBILL_CHECK(has_value());
    return *std::get_if<0>(&state_);
  }
  T&& value() && { return std::move(value()); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & {
    WAYBILL_CHECK(!has_value());
    return *std::get_if<1>(&state_);
  }
  const Error& error() const& {
    WAYBILL_CHECK(!has_value());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && { return std::move(error()); }

 private:
  std::variant<T, Error> state_;
};

// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace waybill

#define WAYBILL_CONCAT_INNER(a, b) a##b
#define WAYBILL_CONCAT(a, b) WAYBILL_CONCAT_INNER(a, b)

// Evaluates an expression that gives a Result<void>; on failure returns its error from this function.
#define WAYBILL_TRY(expression)              \
  do {                                       \
    if (auto tried = (expression); !tried) { \
      return std::move(tried).error();       \
    }                                        \
  } while (false)

#define WAYBILL_TRY_ASSIGN_INNER(result, target, expression) \
  auto result = (expression);                                \
  if (!result) {                                             \
    return std::move(result).error();                        \
  }                                                          \
  target = *std::move(result)

// WAYBILL_TRY_ASSIGN(auto x, f()) binds x to the value of f(), or returns f()'s error.
#define WAYBILL_TRY_ASSIGN(target, expression) \
  WAYBILL_TRY_ASSIGN_INNER(WAYBILL_CONCAT(result_, __LINE__), target, expression)
