// Whatever two parsers could read differently is refused: request smuggling lives on such differences.
#include "http/head_parser.h"

#include <gtest/gtest.h>

#include <string>

namespace waybill::http {
namespace {

using namespace std::string_literals;

struct Parsed {
  int status = 0;
  Request request;
  Framing framing;
};

// 0 where the head is taken, the status of the refusal otherwise; -1 where its end is not found.
Parsed parse(const std::string& head) {
  Parsed parsed;
  std::size_t scanned = 0;
  const HeadEnd end = find_head_end(head, scanned);
  if (end != HeadEnd::found) {
    parsed.status = end == HeadEnd::bare_line_feed ? 400 : -1;
    return parsed;
  }
  parsed.status =
      parse_head(std::string_view(head).substr(0, scanned), 100, parsed.request, parsed.framing).status;
  return parsed;
}

std::string with_headers(const std::string& lines) {
  return "POST / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n";
}

struct Case {
  int status;
  std::string head;
};

class Framings : public testing::TestWithParam<Case> {};

TEST_P(Framings, AreTakenOrRefused) {
  EXPECT_EQ(parse(GetParam().head).status, GetParam().status) << GetParam().head;
}

const Case request_lines[] = {
    {0, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {0, "GET / HTTP/1.0\r\n\r\n"},
    {0, "get / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {0, "X-Y!#$%&'*+.^_`|~ / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {0, "GET /a/b?c=d&e HTTP/1.1\r\nHost: a\r\n\r\n"},
    {0, "GET /%00%ff HTTP/1.1\r\nHost: a\r\n\r\n"},
    {0, "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"},
    {0, "GET http://a/b HTTP/1.1\r\nHost: a\r\n\r\n"},
    {0, "GET HTTP://A:80/b HTTP/1.1\r\nHost: a:80\r\n\r\n"},
    {0, "GET http://a?x HTTP/1.1\r\nHost: a\r\n\r\n"},
    {0, "GET https://a HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET http://a:81/ HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET http://x@a/ HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET http:///b HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET http://a/ HTTP/1.0\r\n\r\n"},
    {400, "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET * HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n"},
    {400, "GET a HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET /  HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, " GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"},
    {400, "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET / x HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET /\r\nHost: a\r\n\r\n"},
    {400, "GET /#x HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET /\x7f HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET /\xc3\xa4 HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"s},
    {400, "G@T / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "G(T / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET / http/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/11\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.1.1\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/ 1.1\r\nHost: a\r\n\r\n"},
    {400, "GET / XTTP/1.1\r\nHost: a\r\n\r\n"},
    {505, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"},
    {505, "GET / HTTP/1.2\r\nHost: a\r\n\r\n"},
    {505, "GET / HTTP/0.9\r\nHost: a\r\n\r\n"},
    {400, "\r\n\r\n"},
    {400, "PRI * HTTP/2\r\n\r\n"},
};

const Case line_ends[] = {
    {400, "GET / HTTP/1.1\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a\r\n\n"},
    {400, "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.1\rX\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n"},
    {400, with_headers("X: a\rb\r\n")},
    {400, with_headers("X: a\r\rb\r\n")},
    {400, with_headers("X\r: a\r\n")},
    {-1, "GET / HTTP/1.1\r\nHost: a\r\n\r"},
    {-1, "GET / HTTP/1.1\r\nHost: a\r\n"},
    {-1, ""},
};

const Case header_lines[] = {
    {0, with_headers("X:\r\n")},
    {0, with_headers("X:a\r\n")},
    {0, with_headers("X: \t a b \t\r\n")},
    {0, with_headers("X: \xc3\xa4\r\n")},
    {0, with_headers("X: a\tb\r\n")},
    {0, with_headers("X: a\r\nX: b\r\n")},
    {0, with_headers("!#$%&'*+-.^_`|~09: a\r\n")},
    {400, with_headers("X : a\r\n")},
    {400, with_headers("X\t: a\r\n")},
    {400, with_headers(" X: a\r\n")},
    {400, with_headers("X: a\r\n b\r\n")},
    {400, with_headers("X: a\r\n\tb\r\n")},
    {400, with_headers("X\r\n")},
    {400, with_headers(": a\r\n")},
    {400, with_headers("X Y: a\r\n")},
    {400, with_headers("X(: a\r\n")},
    {400, with_headers("\"X\": a\r\n")},
    {400, with_headers("X\xc3\xa4: a\r\n")},
    {400, with_headers("X\x01: a\r\n")},
    {400, with_headers("X\0: a\r\n"s)},
    {400, with_headers("X: a\0b\r\n"s)},
    {400, with_headers("X: \x01\r\n")},
    {400, with_headers("X: \x7f\r\n")},
    {400, with_headers("X: \x1b[31m\r\n")},
    {400, with_headers("X: \x0b\r\n")},
    {400, "GET / HTTP/1.1\r\n Host: a\r\n\r\n"},
};

const Case hosts[] = {
    {0, "GET / HTTP/1.1\r\nhost: a.b-c:8000\r\n\r\n"},
    {0, "GET / HTTP/1.1\r\nHOST: [::1]:8000\r\n\r\n"},
    {0, "GET / HTTP/1.0\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nX: a\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost:\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n"},
    {400, "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: x@a\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a\xc3\xa4\r\n\r\n"},
};

const Case bodies[] = {
    {0, with_headers("Content-Length: 0\r\n")},
    {0, with_headers("content-length: 5\r\n")},
    {0, with_headers("Content-Length: 007\r\n")},
    {0, with_headers("Content-Length: 999999999999999999\r\n")},
    {400, with_headers("Content-Length: 9999999999999999999\r\n")},
    {400, with_headers("Content-Length: 18446744073709551621\r\n")},
    {400, with_headers("Content-Length:\r\n")},
    {400, with_headers("Content-Length: -1\r\n")},
    {400, with_headers("Content-Length: +1\r\n")},
    {400, with_headers("Content-Length: 1.0\r\n")},
    {400, with_headers("Content-Length: 0x10\r\n")},
    {400, with_headers("Content-Length: 1 2\r\n")},
    {400, with_headers("Content-Length: 1_0\r\n")},
    {400, with_headers("Content-Length: 5, 5\r\n")},
    {400, with_headers("Content-Length: 5,\r\n")},
    {400, with_headers("Content-Length: 5\r\nContent-Length: 5\r\n")},
    {400, with_headers("Content-Length: 5\r\nContent-Length: 6\r\n")},
    {400, with_headers("Content-Length: 5\r\ncontent-length: 0\r\n")},
    {400, with_headers("Content-Length : 5\r\n")},
    {400, with_headers("Content-Length: \x0b"
                       "5\r\n")},
    {0, with_headers("Transfer-Encoding: chunked\r\n")},
    {0, with_headers("transfer-encoding: Chunked\r\n")},
    {0, with_headers("Transfer-Encoding:\tchunked \r\n")},
    {400, with_headers("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n")},
    {400, with_headers("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n")},
    {400, with_headers("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n")},
    {400, with_headers("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")},
    {400, with_headers("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n")},
    {400, with_headers("Transfer-Encoding: gzip, chunked\r\n")},
    {400, with_headers("Transfer-Encoding: chunked, gzip\r\n")},
    {400, with_headers("Transfer-Encoding: chunked, chunked\r\n")},
    {400, with_headers("Transfer-Encoding: identity\r\n")},
    {400, with_headers("Transfer-Encoding: gzip\r\n")},
    {400, with_headers("Transfer-Encoding:\r\n")},
    {400, with_headers("Transfer-Encoding: xchunked\r\n")},
    {400, with_headers("Transfer-Encoding: chunked;q=1\r\n")},
    {400, with_headers("Transfer-Encoding: \"chunked\"\r\n")},
    {400, with_headers("Transfer-Encoding : chunked\r\n")},
    {400, with_headers("Transfer-Encoding: \x0b"
                       "chunked\r\n")},
    {400, with_headers("X: y\r\n Transfer-Encoding: chunked\r\n")},
    {400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"},
    {0, with_headers("Expect: 100-Continue\r\n")},
    {417, with_headers("Expect: 200-ok\r\n")},
    {417, with_headers("Expect:\r\n")},
};

INSTANTIATE_TEST_SUITE_P(RequestLines, Framings, testing::ValuesIn(request_lines));
INSTANTIATE_TEST_SUITE_P(LineEnds, Framings, testing::ValuesIn(line_ends));
INSTANTIATE_TEST_SUITE_P(HeaderLines, Framings, testing::ValuesIn(header_lines));
INSTANTIATE_TEST_SUITE_P(Hosts, Framings, testing::ValuesIn(hosts));
INSTANTIATE_TEST_SUITE_P(Bodies, Framings, testing::ValuesIn(bodies));

TEST(HeadParser, GivesViewsOfTheParts) {
  const std::string head =
      "POST /a/b?c=d&e HTTP/1.1\r\nHost: h\r\nX-Amz-Target:  T.op \r\nx-two: 1\r\nX-Two: 2\r\n\r\n";
  const Parsed parsed = parse(head);
  ASSERT_EQ(parsed.status, 0);
  EXPECT_EQ(parsed.request.method, "POST");
  EXPECT_EQ(parsed.request.target, "/a/b?c=d&e");
  EXPECT_EQ(parsed.request.path, "/a/b");
  EXPECT_EQ(parsed.request.query, "c=d&e");
  EXPECT_EQ(parsed.request.header("x-amz-target"), "T.op");
  EXPECT_EQ(parsed.request.header("x-none"), "");
  EXPECT_EQ(parsed.request.header("x-two"), "1");
  EXPECT_TRUE(parsed.request.duplicate_header("x-two"));
  EXPECT_FALSE(parsed.request.duplicate_header("host"));
  EXPECT_TRUE(parsed.request.has_header("host"));
}

TEST(HeadParser, RefusesAControlCharacterAnywhereInAValue) {
  for (std::size_t length = 1; length <= 40; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        if (byte == '\n') {
          continue;  // ends the line, or is a bare one
        }
        std::string value(length, 'v');
        value[at] = static_cast<char>(byte);
        const bool allowed = byte == '\t' || (byte >= 0x20 && byte != 0x7f);
        const Parsed parsed = parse(with_headers("X: " + value + "\r\nLast: z\r\n"));
        ASSERT_EQ(parsed.status, allowed ? 0 : 400) << length << " " << at << " " << byte;
      }
    }
  }
}

TEST(HeadParser, TakesWhiteSpaceOffAroundValues) {
  for (const auto* line : {"X:v w", "X: v w", "X:  v w", "X: v w ", "X:\tv w\t \t", "X: \tv w"}) {
    const std::string head = with_headers(std::string(line) + "\r\n");
    EXPECT_EQ(parse(head).request.header("x"), "v w") << line;
  }
  for (const auto* line : {"X:", "X: ", "X:  ", "X:\t"}) {
    const std::string head = with_headers(std::string(line) + "\r\n");
    EXPECT_EQ(parse(head).status, 0);
    EXPECT_EQ(parse(head).request.header("x"), "") << line;
  }
  const std::string high = with_headers("X: \x80\xff\r\n");
  EXPECT_EQ(parse(high).request.header("x"), "\x80\xff");
}

TEST(HeadParser, AbsoluteTargetGivesItsPath) {
  const std::string head = "GET http://a?x=1 HTTP/1.1\r\nHost: A\r\n\r\n";
  const Parsed parsed = parse(head);
  ASSERT_EQ(parsed.status, 0);
  EXPECT_EQ(parsed.request.path, "/");
  EXPECT_EQ(parsed.request.query, "x=1");
}

TEST(HeadParser, KeepAliveFollowsVersionAndConnection) {
  EXPECT_TRUE(parse("GET / HTTP/1.1\r\nHost: a\r\n\r\n").framing.keep_alive);
  EXPECT_FALSE(parse("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n").framing.keep_alive);
  EXPECT_FALSE(parse("GET / HTTP/1.0\r\n\r\n").framing.keep_alive);
  EXPECT_TRUE(parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").framing.keep_alive);
}

TEST(HeadParser, ReadsCodings) {
  EXPECT_TRUE(parse(with_headers("Accept-Encoding: br, gzip;q=0.5\r\n")).framing.accepts_gzip);
  EXPECT_TRUE(parse(with_headers("Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n")).framing.accepts_gzip);
  EXPECT_FALSE(parse(with_headers("Accept-Encoding: gzip;q=0\r\n")).framing.accepts_gzip);
  EXPECT_FALSE(parse(with_headers("Accept-Encoding: gzip ; q=0.000\r\n")).framing.accepts_gzip);
  EXPECT_FALSE(parse(with_headers("Accept-Encoding: identity\r\n")).framing.accepts_gzip);
  EXPECT_EQ(parse(with_headers("Content-Encoding: GZIP\r\n")).framing.coding, ContentCoding::gzip);
  EXPECT_EQ(parse(with_headers("Content-Encoding: deflate\r\n")).framing.coding, ContentCoding::deflate);
  EXPECT_EQ(parse(with_headers("Content-Encoding: br\r\n")).framing.coding, ContentCoding::unsupported);
  EXPECT_EQ(parse(with_headers("Content-Encoding: gzip, gzip\r\n")).framing.coding,
            ContentCoding::unsupported);
}

TEST(HeadParser, CountsHeaders) {
  std::string lines;
  for (int i = 0; i < 99; ++i) {
    lines += "X: y\r\n";
  }
  EXPECT_EQ(parse(with_headers(lines)).status, 0);
  EXPECT_EQ(parse(with_headers(lines + "X: y\r\n")).status, 431);
}

TEST(HeadParser, FindsTheEndByteByByte) {
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  std::size_t scanned = 0;
  for (std::size_t i = 0; i < head.size(); ++i) {
    EXPECT_EQ(find_head_end(std::string_view(head).substr(0, i), scanned), HeadEnd::incomplete);
  }
  EXPECT_EQ(find_head_end(head, scanned), HeadEnd::found);
  EXPECT_EQ(scanned, head.size());
}

}  // namespace
}  // namespace waybill::http
