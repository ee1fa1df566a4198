#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/figures.h"

namespace waybill::text {

struct AnalyzerOptions {
  // Where words go that are too many for the memory; the files are gone with the analyzer, whatever happens.
  // Empty: such a text is refused.
  std::string temporary_folder;

  // For different words; at least words_bytes_min. Some 30 MB come on top of it.
  std::size_t words_bytes_max = std::size_t{256} << 20;

  // By chance (base/entropy.h), so that nobody can make up a text that is slow to count. The figures do not
  // depend on it.
  uint64_t hash_seed = 0;
};

inline constexpr std::size_t words_bytes_min = std::size_t{8} << 20;

// Finds the figures of a text of any size, in any encoding, in bounded memory. README.md says what words are,
// and which encodings are known.
//
// Thread safety: one thread at a time. After an error every call gives it again.
class Analyzer {
 public:
  // Error internal where ICU's data is missing.
  static Result<Analyzer> open(const AnalyzerOptions& options);

  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;
  ~Analyzer();

  // Takes the next bytes. The figures do not depend on where the text is cut into pieces.
  // Errors: invalid where the bytes are not text (with the offset of the first that is wrong), their encoding
  // is not known, or the temporary folder cannot be used; limit_exceeded where there are too many different
  // words and no such folder; unavailable where its disk is full.
  Status feed(std::string_view bytes);

  // The figures of all that was fed, or nullopt where `stop` was requested before they were known. Called
  // once, at the end. Errors as above.
  Result<std::optional<Figures>> finish(const std::stop_token& stop = {});

 private:
  struct State;
  explicit Analyzer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace waybill::text
