#include "text/word_counter.h"

#include <iterator>

#include "text/run_merge.h"

namespace waybill::text {

namespace {

// So many runs of one level become one of the next. Each has a descriptor, and a buffer while it is read.
constexpr std::size_t runs_of_level_max = 16;

Error too_many_words(std::size_t memory_bytes_max) {
  return Error{ErrorKind::limit_exceeded,
               "the text has more different words than " + std::to_string(memory_bytes_max >> 20) +
                   " MiB of memory can hold; give a folder for temporary files, or allow more memory",
               {}};
}

void append_lower(std::string& out, std::string_view ascii) {
  for (const char c : ascii) {
    out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c);
  }
}

}  // namespace

WordCounter::WordCounter(Options options) : options_(std::move(options)), table_(options_.hash_seed) {}

Status WordCounter::make_room(std::size_t words) {
  if (table_.size() > 0 && table_.bytes_after_reserve(words) > options_.memory_bytes_max) {
    if (options_.temporary_folder.empty()) {
      return too_many_words(options_.memory_bytes_max);
    }
    WAYBILL_TRY(spill());
  }
  table_.reserve(words);
  return {};
}

void WordCounter::add(std::string_view folded, uint32_t length) {
  ++total_words_;
  total_length_ += length;
  table_.add(folded);
}

void WordCounter::add_ascii(std::string_view word, std::size_t readable) {
  ++total_words_;
  total_length_ += word.size();
  if (word.size() > short_word_bytes_max) {
    folded_.clear();
    append_lower(folded_, word);
    table_.add(folded_);
    return;
  }
  const ShortWord short_word = readable >= short_word_bytes_max
                                   ? make_short_word_in_text(word.data(), word.size())
                                   : make_short_word(word);
  table_.add_short(ascii_lower(short_word), word.size());
}

Status WordCounter::spill() {
  WAYBILL_TRY_ASSIGN(auto writer, RunWriter::open(options_.temporary_folder));
  for (const auto& entry : table_.sorted()) {
    WAYBILL_TRY(writer.add(entry.word(), entry.count));
  }
  table_.clear();
  WAYBILL_TRY_ASSIGN(auto run, writer.finish());
  return add_run(std::move(run), 0);
}

Status WordCounter::add_run(Run run, std::size_t level) {
  if (level == levels_.size()) {
    levels_.emplace_back();
  }
  levels_[level].push_back(std::move(run));
  if (levels_[level].size() < runs_of_level_max) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(auto writer, RunWriter::open(options_.temporary_folder));
  const auto merged =
      merge_runs(std::exchange(levels_[level], {}), {},
                 [&](std::string_view word, uint64_t count) { return writer.add(word, count); });
  if (!merged) {
    return merged.error();
  }
  WAYBILL_TRY_ASSIGN(auto larger, writer.finish());
  return add_run(std::move(larger), level + 1);
}

// Offers each word with its count in all that was seen.
Result<bool> WordCounter::offer_all(TopWords& top, const std::stop_token& stop) {
  if (levels_.empty()) {
    for (const auto& entry : table_.entries()) {
      if (entry.count > 0) {
        top.offer(entry.word(), entry.count);
      }
    }
    return true;
  }
  WAYBILL_TRY(spill());
  std::vector<Run> runs;
  for (auto& level : levels_) {
    runs.insert(runs.end(), std::move_iterator(level.begin()), std::move_iterator(level.end()));
  }
  levels_.clear();
  return merge_runs(std::move(runs), stop, [&](std::string_view word, uint64_t count) {
    top.offer(word, count);
    return Status();
  });
}

Result<std::optional<Figures>> WordCounter::finish(const std::stop_token& stop) {
  TopWords top;
  WAYBILL_TRY_ASSIGN(const bool is_whole, offer_all(top, stop));
  if (!is_whole) {
    return std::optional<Figures>();
  }
  Figures figures;
  figures.total_words = total_words_;
  figures.unique_words = top.offered();
  if (total_words_ > 0) {
    figures.average_word_length = static_cast<double>(total_length_) / static_cast<double>(total_words_);
  }
  figures.top_words = top.words();
  return std::optional(std::move(figures));
}

}  // namespace waybill::text
