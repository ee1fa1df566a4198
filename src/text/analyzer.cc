#include "text/analyzer.h"

#include <algorithm>

#include "text/intake.h"
#include "text/safe_cut.h"
#include "text/spellings.h"
#include "text/word_counter.h"
#include "text/word_splitter.h"

namespace waybill::text {

namespace {

constexpr std::size_t piece_bytes = 65'536;
// Enough to know the character that begins where a stretch ends.
constexpr std::size_t character_bytes_max = 4;

WordCounter::Options counter_options(const AnalyzerOptions& options) {
  return {std::max(options.words_bytes_max, words_bytes_min), options.temporary_folder, options.hash_seed};
}

}  // namespace

struct Analyzer::State {
  State(const AnalyzerOptions& options, WordSplitter words, WordForms forms)
      : splitter(std::move(words)),
        spellings(std::move(forms), options.hash_seed),
        counter(counter_options(options)) {}

  Status feed(std::string_view bytes);
  Status finish();
  Status count_stretches(std::size_t bytes_min);
  Status count(std::string_view stretch);

  Intake intake;
  std::string text;  // UTF-8 that has not been counted
  WordSplitter splitter;
  WordSpans words;  // of the stretch at hand
  Spellings spellings;
  WordCounter counter;
  std::optional<Error> failure;
};

Result<Analyzer> Analyzer::open(const AnalyzerOptions& options) {
  WAYBILL_TRY_ASSIGN(auto splitter, WordSplitter::open());
  WAYBILL_TRY_ASSIGN(auto forms, WordForms::open());
  return Analyzer(std::make_unique<State>(options, std::move(splitter), std::move(forms)));
}

Analyzer::Analyzer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;
Analyzer::~Analyzer() = default;

Status Analyzer::feed(std::string_view bytes) {
  if (state_->failure) {
    return *state_->failure;
  }
  auto fed = state_->feed(bytes);
  if (!fed) {
    state_->failure = fed.error();
  }
  return fed;
}

Result<std::optional<Figures>> Analyzer::finish(const std::stop_token& stop) {
  if (state_->failure) {
    return *state_->failure;
  }
  WAYBILL_TRY(state_->finish());
  return state_->counter.finish(stop);
}

Status Analyzer::State::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.substr(0, piece_bytes);
    WAYBILL_TRY(intake.feed(piece, text));
    WAYBILL_TRY(count_stretches(stretch_bytes_max + character_bytes_max));
    bytes.remove_prefix(piece.size());
  }
  return {};
}

Status Analyzer::State::finish() {
  WAYBILL_TRY(intake.finish(text));
  WAYBILL_TRY(count_stretches(stretch_bytes_max + 1));
  WAYBILL_TRY(count(text));
  text.clear();
  return {};
}

// Counts from the beginning, up to safe places, as long as there are `bytes_min` left.
Status Analyzer::State::count_stretches(std::size_t bytes_min) {
  std::string_view rest = text;
  while (rest.size() >= bytes_min) {
    const std::size_t cut = last_safe_cut(rest);
    WAYBILL_TRY(count(rest.substr(0, cut)));
    rest.remove_prefix(cut);
  }
  text.erase(0, text.size() - rest.size());
  return {};
}

Status Analyzer::State::count(std::string_view stretch) {
  WAYBILL_TRY(splitter.split(stretch, words));
  WAYBILL_TRY(counter.make_room(words.size()));
  for (const WordSpan& span : words) {
    const auto word = stretch.substr(span.offset, span.length);
    const std::size_t readable = stretch.size() - span.offset;
    if (span.is_ascii != 0) {
      counter.add_ascii(word, readable);
    } else {
      WAYBILL_TRY_ASSIGN(const auto form, spellings.find(word, readable));
      counter.add(form.folded, form.length);
    }
  }
  return {};
}

}  // namespace waybill::text
