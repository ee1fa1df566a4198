#include "base/utf8.h"
#include "text/decoder.h"
#include "text/refusal.h"
#include "text/utf8_check.h"

namespace waybill::text {

namespace {

class Utf8Decoder final : public Decoder {
 public:
  explicit Utf8Decoder(uint64_t offset) : offset_(offset) {}

  Status decode(std::string_view bytes, std::string& out) override {
    const std::size_t before = out.size();
    out.append(unfinished_).append(bytes);
    const std::string_view added = std::string_view(out).substr(before);
    const std::size_t kept = unfinished_bytes(added);
    unfinished_.assign(added.substr(added.size() - kept));
    out.resize(out.size() - kept);
    const std::string_view text = std::string_view(out).substr(before);
    if (!is_utf8(text) || text.find('\0') != std::string_view::npos) {
      return refuse(text);
    }
    offset_ += text.size();
    return {};
  }

  Status finish(std::string& /*out*/) override {
    return unfinished_.empty() ? Status() : Status(refuse_cut_short("UTF-8", offset_));
  }

 private:
  Error refuse(std::string_view text) const {
    const std::size_t wrong = utf8_prefix(text).bytes;
    const std::size_t zero = text.find('\0');
    return zero < wrong ? refuse_binary(offset_ + zero) : refuse_bytes("UTF-8", offset_ + wrong);
  }

  uint64_t offset_;         // of the first byte that has not been decoded
  std::string unfinished_;  // the beginning of a character
};

}  // namespace

std::unique_ptr<Decoder> make_utf8_decoder(uint64_t offset) {
  return std::make_unique<Utf8Decoder>(offset);
}

}  // namespace waybill::text
