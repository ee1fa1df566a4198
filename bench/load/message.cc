#include "load/message.h"

#include <openssl/evp.h>

#include <charconv>

#include "load/job.h"
#include "load/random.h"
#include "load/words.h"

namespace waybill::load {
namespace {

constexpr std::size_t job_id_bytes = 26;

// Words, among which each message has its place: copying is all that a text costs.
std::string make_page() {
  constexpr std::size_t page_bytes = 2 * message_bytes_max;
  std::string page;
  Random random(1);
  while (page.size() < page_bytes) {
    page.append(words[random.below(words.size())].view()).push_back(' ');
  }
  page.resize(page_bytes);
  return page;
}

}  // namespace

void add_message_text(OutBuffer& out, uint64_t number, std::size_t bytes) {
  static const std::string page = make_page();
  const auto begin = out.size();
  out.add(job_id_of(number).view()).add(' ').add_number(static_cast<int64_t>(bytes)).add(' ');
  const auto head_bytes = out.size() - begin;
  out.add(std::string_view(page).substr(mix(number) % message_bytes_max, bytes - head_bytes));
}

std::optional<uint64_t> message_number_of(std::string_view text) {
  return id_of(text.substr(0, job_id_bytes));
}

Status check_message_text(std::string_view text) {
  const auto number = message_number_of(text);
  std::size_t bytes = 0;
  if (text.size() > job_id_bytes) {
    std::from_chars(text.data() + job_id_bytes + 1, text.data() + text.size(), bytes);
  }
  if (!number || bytes != text.size() || bytes < message_bytes_min || bytes > message_bytes_max) {
    return invalid("a body of " + std::to_string(text.size()) + " bytes that was never sent");
  }
  OutBuffer expected;
  add_message_text(expected, *number, bytes);
  return expected.view() == text ? Status()
                                 : invalid("the body of message " + std::to_string(*number) + " was changed");
}

std::string md5_of(std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int digest_bytes = 0;
  EVP_Digest(text.data(), text.size(), digest, &digest_bytes, EVP_md5(), nullptr);
  std::string hex;
  for (unsigned int i = 0; i < digest_bytes; ++i) {
    constexpr std::string_view digits = "0123456789abcdef";
    hex.push_back(digits[digest[i] >> 4]);
    hex.push_back(digits[digest[i] & 15]);
  }
  return hex;
}

}  // namespace waybill::load
