#include "http/chunked.h"

#include <gtest/gtest.h>

#include <string>

namespace waybill::http {
namespace {

using namespace std::string_literals;

using Outcome = ChunkedDecoder::Outcome;

struct Decoded {
  Outcome outcome = Outcome::more;
  std::string content;
  std::string rest;
};

// Decodes `body`, handed over in pieces of `step` bytes.
Decoded decode(const std::string& body, std::size_t step, std::size_t content_bytes_max = 1000) {
  ChunkedDecoder decoder;
  ChunkedDecoder::Cursor cursor;
  Decoded decoded;
  std::string bytes = body;
  for (std::size_t end = 0; end < bytes.size() && decoded.outcome == Outcome::more;) {
    end = std::min(end + step, bytes.size());
    decoded.outcome = decoder.decode(bytes.data(), end, cursor, content_bytes_max);
  }
  decoded.content = bytes.substr(0, cursor.write);
  decoded.rest = bytes.substr(cursor.read);
  return decoded;
}

struct Case {
  Outcome outcome;
  std::string body;
  std::string content;
};

class ChunkedBodies : public testing::TestWithParam<Case> {};

TEST_P(ChunkedBodies, DecodeTheSameInAnyPieces) {
  for (const std::size_t step : {1, 2, 3, 7, 100000}) {
    const Decoded decoded = decode(GetParam().body, step);
    EXPECT_EQ(decoded.outcome, GetParam().outcome) << GetParam().body;
    if (decoded.outcome == Outcome::done) {
      EXPECT_EQ(decoded.content, GetParam().content);
    }
  }
}

const Case cases[] = {
    {Outcome::done, "0\r\n\r\n", ""},
    {Outcome::done, "5\r\nhello\r\n0\r\n\r\n", "hello"},
    {Outcome::done, "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello"},
    {Outcome::done, "A\r\n0123456789\r\n0\r\n\r\n", "0123456789"},
    {Outcome::done, "a\r\n\r\n\r\n\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n\r\n\r\n\r\n"},
    {Outcome::done, "0005\r\nhello\r\n000\r\n\r\n", "hello"},
    {Outcome::done, "5;a=b;c=\"d e\"\r\nhello\r\n0;x\r\n\r\n", "hello"},
    {Outcome::done, "1\r\na\r\n0\r\nX: y\r\nZ: w\r\n\r\n", "a"},
    {Outcome::more, "5\r\nhell", ""},
    {Outcome::more, "0\r\n\r", ""},
    {Outcome::more, "0\r\nX: y\r\n", ""},
    {Outcome::bad, "\r\n", ""},
    {Outcome::bad, "g\r\n", ""},
    {Outcome::bad, " 5\r\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "5 \r\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "+5\r\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "-5\r\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "0x5\r\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "5\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "5\rhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "5\r\nhello0\r\n\r\n", ""},
    {Outcome::bad, "5\r\nhello\n0\r\n\r\n", ""},
    {Outcome::bad, "5\r\nhello\r0\r\n\r\n", ""},
    {Outcome::bad, "4\r\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "5;a\nb\r\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "5;a\rb\r\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "5;\0\r\nhello\r\n0\r\n\r\n"s, ""},
    {Outcome::bad, "0\r\n folded\r\n\r\n", ""},
    {Outcome::bad, "0\r\n: y\r\n\r\n", ""},
    {Outcome::bad, "0\r\nX: y\n\r\n", ""},
    {Outcome::bad, "0\r\n\rX", ""},
    {Outcome::bad, "0\n\n", ""},
    {Outcome::too_large, "3e9\r\n", ""},
    {Outcome::too_large, "FFFFFFFFFFFFFFFFF\r\n", ""},
    {Outcome::too_large, "10000000000000005\r\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "5;" + std::string(9000, 'x') + "\r\nhello\r\n0\r\n\r\n", ""},
    {Outcome::bad, "0\r\nX: " + std::string(9000, 'x') + "\r\n\r\n", ""},
    {Outcome::bad, std::string(9000, '0') + "\r\n\r\n", ""},
};

INSTANTIATE_TEST_SUITE_P(All, ChunkedBodies, testing::ValuesIn(cases));

TEST(ChunkedDecoder, LeavesWhatFollowsTheBody) {
  const Decoded decoded = decode("1\r\na\r\n0\r\n\r\nGET / HTTP/1.1\r\n", 100000);
  EXPECT_EQ(decoded.outcome, Outcome::done);
  EXPECT_EQ(decoded.rest, "GET / HTTP/1.1\r\n");
}

TEST(ChunkedDecoder, LimitsTheContentOfAllChunks) {
  const std::string body = "5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n";
  EXPECT_EQ(decode(body, 100000, 10).outcome, Outcome::done);
  EXPECT_EQ(decode(body, 100000, 9).outcome, Outcome::too_large);
}

}  // namespace
}  // namespace waybill::http
