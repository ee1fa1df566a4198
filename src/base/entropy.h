#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace waybill {

// The only source of randomness, so that tests can make it repeat.
//
// Thread safety: every method may be called from any thread.
class Entropy {
 public:
  virtual ~Entropy() = default;
  virtual void fill(void* bytes, std::size_t count) = 0;

  uint64_t next();
};

// Unpredictable bytes from the operating system.
class SystemEntropy final : public Entropy {
 public:
  void fill(void* bytes, std::size_t count) override;
};

// A random UUID (version 4) in its usual text form, lower case.
std::string make_uuid4(Entropy& entropy);

// An id that tells when it was made: `ms` with leading zeros, and eight digits by chance,
// "01731742800123-1a2b3c4d".
std::string make_dated_id(int64_t ms, std::size_t time_digits, Entropy& entropy);

// A request id in the form AWS uses: 52 characters of A-Z and 0-9.
std::string make_request_id(Entropy& entropy);

}  // namespace waybill
