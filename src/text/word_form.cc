#include "text/word_form.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "text/icu_problem.h"

namespace waybill::text {

namespace {

constexpr UChar32 narrow_space = 0x202f;
constexpr UChar32 non_joiner = 0x200c;
constexpr UChar32 joiner = 0x200d;

bool is_unseen(UChar32 c) {
  return u_charType(c) == U_FORMAT_CHAR && u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0 &&
         c != joiner && c != non_joiner;
}

icu::UnicodeString without_unseen(const icu::UnicodeString& word) {
  icu::UnicodeString seen;
  for (int32_t at = 0; at < word.length(); at = word.moveIndex32(at, 1)) {
    const UChar32 c = word.char32At(at);
    if (!is_unseen(c)) {
      seen.append(c);
    }
  }
  int32_t begin = 0;
  int32_t end = seen.length();
  while (begin < end && seen.charAt(begin) == narrow_space) {
    ++begin;
  }
  while (begin < end && seen.charAt(end - 1) == narrow_space) {
    --end;
  }
  return begin < end ? icu::UnicodeString(seen, begin, end - begin) : word;
}

}  // namespace

Result<WordForms> WordForms::open() {
  UErrorCode code = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> characters(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), code));
  const auto* decomposed = icu::Normalizer2::getNFDInstance(code);
  const auto* composed = icu::Normalizer2::getNFCInstance(code);
  if (U_FAILURE(code) || characters == nullptr) {
    return icu_problem("open its character boundaries and normal forms", code);
  }
  return WordForms(std::move(characters), decomposed, composed);
}

Result<WordForm> WordForms::make(std::string_view spelling) {
  const auto word =
      without_unseen(icu::UnicodeString::fromUTF8({spelling.data(), static_cast<int32_t>(spelling.size())}));
  UErrorCode code = U_ZERO_ERROR;
  // Folding can only be relied on for decomposed text: a few marks change their order by it.
  auto folded = decomposed_->normalize(word, code);
  folded.foldCase(U_FOLD_CASE_DEFAULT);
  const auto normal = composed_->normalize(folded, code);
  if (U_FAILURE(code) || word.isBogus() || normal.isBogus()) {
    return icu_problem("fold a word", code);
  }
  WordForm form;
  normal.toUTF8String(form.folded);
  form.length = length(word);
  return form;
}

uint32_t WordForms::length(const icu::UnicodeString& word) {
  characters_->setText(word);
  uint32_t count = 0;
  while (characters_->next() != icu::BreakIterator::DONE) {
    ++count;
  }
  return count;
}

}  // namespace waybill::text
