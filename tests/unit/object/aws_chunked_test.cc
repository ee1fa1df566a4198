#include "object/aws_chunked.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/bytes.h"
#include "object/checksum.h"
#include "object/chunk_signature.h"
#include "object/scratch.h"

namespace waybill::object {
namespace {

std::string hmac(std::string_view key, std::string_view text) {
  std::string out(32, '\0');
  unsigned length = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
       reinterpret_cast<unsigned char*>(out.data()), &length);
  return out;
}

// Signs and verifies with the credentials of the examples in the service's documentation.
class Chain {
 public:
  explicit Chain(std::string seed) : previous_(std::move(seed)) {
    key_ = "AWS4wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    for (const auto part : {"20130524", "us-east-1", "s3", "aws4_request"}) {
      key_ = hmac(key_, part);
    }
  }

  std::string sign(SignedPiece::Kind kind, std::string_view sha256_hex) {
    const SignatureChain chain{"20130524T000000Z", "20130524/us-east-1/s3/aws4_request", previous_};
    const auto text = kind == SignedPiece::Kind::chunk ? chunk_string_to_sign(chain, sha256_hex)
                                                       : trailer_string_to_sign(chain, sha256_hex);
    previous_ = hex_lower(hmac(key_, text));
    return previous_;
  }

  std::string sign_chunk(std::string_view data) {
    return sign(SignedPiece::Kind::chunk, hex_lower(hash_of(HashKind::sha256, data)));
  }

  Status verify(const SignedPiece& piece) {
    return sign(piece.kind, piece.sha256_hex) == piece.signature
               ? Status()
               : Status(Error{ErrorKind::invalid_signature, "no", {}});
  }

 private:
  std::string key_;
  std::string previous_;
};

constexpr auto plain_seed = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";
constexpr auto trailer_seed = "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e";

// The examples' bodies, as the documentation prints them: 65 KiB of "a" in two chunks, with these signatures.
std::string documented_body() {
  return "10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n" +
         std::string(65536, 'a') +
         "\r\n400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n" +
         std::string(1024, 'a') +
         "\r\n0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n";
}

std::string documented_trailer_body(std::string_view trailer_end) {
  return "10000;chunk-signature=b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2\r\n" +
         std::string(65536, 'a') +
         "\r\n400;chunk-signature=1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7\r\n" +
         std::string(1024, 'a') +
         "\r\n0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n"
         "x-amz-checksum-crc32c:sOO8/Q==" +
         std::string(trailer_end) +
         "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n";
}

struct Decoded {
  Status status;
  std::string content;
  std::vector<Trailer> trailers;
};

// Fed in pieces of `piece_bytes`.
Decoded decode(const AwsChunkedDecoder::Options& options, std::string_view body, std::string_view seed = {},
               std::size_t piece_bytes = 1 << 20) {
  Decoded decoded;
  Chain chain{std::string(seed)};
  AwsChunkedDecoder decoder(
      options,
      [&](std::string_view bytes) {
        decoded.content += bytes;
        return Status();
      },
      [&](const SignedPiece& piece) { return chain.verify(piece); });
  for (; !body.empty() && decoded.status; body.remove_prefix(std::min(piece_bytes, body.size()))) {
    decoded.status = decoder.feed(body.substr(0, piece_bytes));
  }
  decoded.status = decoder.finish();
  decoded.trailers = decoder.trailers();
  return decoded;
}

const AwsChunkedDecoder::Options documented{ChunkFraming::signed_chunks, 66560, {}};
const AwsChunkedDecoder::Options documented_trailer{
    ChunkFraming::signed_trailer, 66560, {"x-amz-checksum-crc32c"}};

TEST(AwsChunked, SignedExampleOfTheDocumentation) {
  for (const std::size_t piece_bytes : {1, 7, 100, 4096, 65536, 1 << 20}) {
    const auto decoded = decode(documented, documented_body(), plain_seed, piece_bytes);
    ASSERT_TRUE(decoded.status) << decoded.status.error().message;
    EXPECT_EQ(decoded.content, std::string(66560, 'a'));
    EXPECT_TRUE(decoded.trailers.empty());
  }
}

TEST(AwsChunked, TrailerExampleOfTheDocumentation) {
  for (const auto end : {"\r\n", "\n\r\n"}) {
    for (const std::size_t piece_bytes : {1, 13, 1 << 20}) {
      const auto decoded =
          decode(documented_trailer, documented_trailer_body(end), trailer_seed, piece_bytes);
      ASSERT_TRUE(decoded.status) << decoded.status.error().message;
      EXPECT_EQ(decoded.content, std::string(66560, 'a'));
      EXPECT_EQ(decoded.trailers, (std::vector<Trailer>{{"x-amz-checksum-crc32c", "sOO8/Q=="}}));
    }
  }
  EXPECT_EQ(text_of(checksum_of(ChecksumAlgorithm::crc32c, std::string(66560, 'a'))), "sOO8/Q==");
}

TEST(AwsChunked, AWrongSignatureOrByteIsNoticed) {
  for (const std::size_t at : {30, 100, 65536, 65720, 66600, 66800, 66900}) {
    auto body = documented_trailer_body("\r\n");
    ASSERT_LT(at, body.size());
    body[at] = body[at] == 'b' ? 'c' : 'b';
    EXPECT_FALSE(decode(documented_trailer, body, trailer_seed).status) << at;
  }
  auto trailer_changed = documented_trailer_body("\r\n");
  trailer_changed.replace(trailer_changed.find("sOO8"), 4, "sOO9");
  EXPECT_EQ(decode(documented_trailer, trailer_changed, trailer_seed).status.error().kind,
            ErrorKind::invalid_signature);
  EXPECT_FALSE(decode(documented, documented_body(), trailer_seed).status);
}

TEST(AwsChunked, Framings) {
  EXPECT_EQ(framing_of("STREAMING-UNSIGNED-PAYLOAD-TRAILER"), ChunkFraming::unsigned_trailer);
  EXPECT_EQ(framing_of("STREAMING-AWS4-HMAC-SHA256-PAYLOAD"), ChunkFraming::signed_chunks);
  EXPECT_EQ(framing_of("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"), ChunkFraming::signed_trailer);
  EXPECT_FALSE(framing_of("UNSIGNED-PAYLOAD"));
  EXPECT_FALSE(framing_of("STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD"));
}

const AwsChunkedDecoder::Options unsigned_hello{
    ChunkFraming::unsigned_trailer, 11, {"x-amz-checksum-crc32", "x-amz-checksum-sha1"}};
const std::string hello_body =
    "5\r\nhello\r\n6\r\n\r\nabcd\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\nX-Amz-Checksum-SHA1: b c \r\n\r\n";

// Cut into two pieces at every place, and every beginning that is not the whole refused.
TEST(AwsChunked, CutAtEveryPlace) {
  for (std::size_t cut = 0; cut <= hello_body.size(); ++cut) {
    std::string content;
    AwsChunkedDecoder decoder(unsigned_hello,
                              [&](std::string_view bytes) {
                                content += bytes;
                                return Status();
                              },
                              {});
    ASSERT_TRUE(decoder.feed(std::string_view(hello_body).substr(0, cut)));
    ASSERT_EQ(decoder.is_done(), cut == hello_body.size());
    ASSERT_TRUE(decoder.feed(std::string_view(hello_body).substr(cut)));
    ASSERT_TRUE(decoder.finish());
    EXPECT_EQ(content, "hello\r\nabcd");
    EXPECT_EQ(decoder.trailers(),
              (std::vector<Trailer>{{"x-amz-checksum-crc32", "AAAAAA=="}, {"x-amz-checksum-sha1", "b c"}}));
    if (cut < hello_body.size()) {
      EXPECT_EQ(decode(unsigned_hello, hello_body.substr(0, cut)).status.error().kind,
                ErrorKind::incomplete_body);
    }
  }
  EXPECT_EQ(decode(unsigned_hello, hello_body + "x").status.error().kind, ErrorKind::malformed);
}

TEST(AwsChunked, RandomBodiesAndPieces) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::string content = random_bytes(random(), random() % 5000);
    Chain signer{std::string(plain_seed)};
    std::string body;
    for (std::size_t at = 0; at <= content.size();) {
      const auto left = content.size() - at;
      const auto data = std::string_view(content).substr(at, left == 0 ? 0 : 1 + random() % left);
      char size[32];
      std::snprintf(size, sizeof(size), random() % 2 == 0 ? "%zx" : "%zX", data.size());
      body += std::string(size) + ";chunk-signature=" + signer.sign_chunk(data) + "\r\n";
      body += std::string(data) + "\r\n";
      at += std::max<std::size_t>(data.size(), left == 0 ? 1 : 0);
    }
    const auto decoded =
        decode({ChunkFraming::signed_chunks, content.size(), {}}, body, plain_seed, 1 + random() % 700);
    ASSERT_TRUE(decoded.status) << decoded.status.error().message;
    ASSERT_EQ(decoded.content, content);
  }
}

TEST(AwsChunked, MalformedBodies) {
  const AwsChunkedDecoder::Options bare{ChunkFraming::unsigned_trailer, 5, {}};
  ASSERT_TRUE(decode(bare, "5\r\nhello\r\n0\r\n\r\n").status);
  ASSERT_TRUE(decode(bare, "0000000000000005\r\nhello\r\n0\r\n\r\n").status);
  for (const std::string body :
       {"\r\n", "g\r\n", "-5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n",
        "5\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n", "5\r\nhello!\r\n0\r\n\r\n",
        "5;x=y\r\nhello\r\n0\r\n\r\n", "00000000000000005\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello\r\n0\r\nx-amz-meta-a:b\r\n\r\n", "5\r\nhello\r\n0\r\nnothing\r\n\r\n",
        "5\r\nhello\r\n0\r\n\n\r\n",
        "5;chunk-signature="
        "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\nhello\r\n0\r\n\r\n"}) {
    EXPECT_EQ(decode(bare, body).status.error().kind, ErrorKind::malformed) << body;
  }
  for (const std::string body :
       {"4\r\nhell\r\n0\r\n\r\n", "6\r\nhello!\r\n0\r\n\r\n", "ffffffffffffffff\r\n", "0\r\n\r\n"}) {
    EXPECT_EQ(decode(bare, body).status.error().kind, ErrorKind::incomplete_body) << body;
  }
  EXPECT_FALSE(decode({ChunkFraming::signed_chunks, 5, {}}, "5\r\nhello\r\n0\r\n\r\n", plain_seed).status);
}

TEST(AwsChunked, TrailersThatDoNotFit) {
  const AwsChunkedDecoder::Options one{ChunkFraming::unsigned_trailer, 0, {"a"}};
  ASSERT_TRUE(decode(one, "0\r\na:1\r\n\r\n").status);
  for (const std::string body : {"0\r\n\r\n", "0\r\na:1\r\na:1\r\n\r\n", "0\r\na:1\r\nb:2\r\n\r\n",
                                 "0\r\na:1\nb:2\r\n\r\n", "0\r\na:\x01\r\n\r\n", "0\r\na:1\n\r\n\n"}) {
    EXPECT_EQ(decode(one, body).status.error().kind, ErrorKind::malformed) << body;
  }
  EXPECT_FALSE(decode(one, "0\r\na:" + std::string(2000, 'x') + "\r\n\r\n").status);
  auto unsigned_trailers = documented_trailer_body("\r\n");
  unsigned_trailers.erase(unsigned_trailers.find("x-amz-trailer-signature"), 90);
  EXPECT_EQ(decode(documented_trailer, unsigned_trailers, trailer_seed).status.error().kind,
            ErrorKind::malformed);
}

TEST(AwsChunked, AnErrorStays) {
  AwsChunkedDecoder decoder(
      {ChunkFraming::unsigned_trailer, 5, {}},
      [](std::string_view) { return Status(Error{ErrorKind::unavailable, "full", {}}); }, {});
  EXPECT_EQ(decoder.feed("5\r\nhel").error().kind, ErrorKind::unavailable);
  EXPECT_EQ(decoder.feed("lo\r\n0\r\n\r\n").error().kind, ErrorKind::unavailable);
  EXPECT_EQ(decoder.finish().error().kind, ErrorKind::unavailable);
}

}  // namespace
}  // namespace waybill::object
