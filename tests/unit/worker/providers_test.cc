// Providers of photos elsewhere: their answers, well and badly made, and when they are asked again.
#include <gtest/gtest.h>

#include "../client/local_server.h"
#include "http/amz_time.h"
#include "worker/photo/gemini_provider.h"
#include "worker/photo/post.h"
#include "worker/photo/seedream_provider.h"

namespace waybill::worker::photo {
namespace {

const SystemClock system_clock;

template <typename T>
std::string code_of(const Result<T>& result) {
  return result ? "" : result.error().detail + (result.error().kind == ErrorKind::unavailable ? "" : "!");
}

// An answer of generateContent with this text in it.
std::string gemini_text(const std::string& text) {
  std::string quoted;
  json::append_string(quoted, text);
  return R"({"candidates":[{"content":{"parts":[{"text":)" + quoted + R"(}]},"finishReason":"STOP"}]})";
}

TEST(Gemini, ReadsAnAnalysis) {
  const auto analysis = read_gemini_analysis(gemini_text(
      R"({"labels":[{"name":"Sea","confidence":0.5},{"name":"Boat","confidence":1.4},{"name":""},{"x":1}],)"
      R"("description":"d","safeSearch":{"adult":"UNLIKELY","violence":"POSSIBLE"}})"));
  ASSERT_TRUE(analysis) << analysis.error().message;
  ASSERT_EQ(analysis->labels.size(), 2U);
  EXPECT_EQ(analysis->labels[0].name, "Boat");
  EXPECT_EQ(analysis->labels[0].confidence, 1.0);
  EXPECT_EQ(analysis->safe_search.violence, media::Likelihood::possible);
}

TEST(Gemini, AnswersOfAllKinds) {
  EXPECT_EQ(code_of(read_gemini_analysis("{")), "PROVIDER_BAD_ANSWER");
  EXPECT_EQ(code_of(read_gemini_analysis("[]")), "PROVIDER_BAD_ANSWER");
  EXPECT_EQ(code_of(read_gemini_analysis(R"({"candidates":[]})")), "PROVIDER_BAD_ANSWER");
  EXPECT_EQ(code_of(read_gemini_analysis(gemini_text("I cannot say"))), "PROVIDER_BAD_ANSWER");
  EXPECT_EQ(code_of(read_gemini_analysis(gemini_text(R"({"labels":[],"safeSearch":{"adult":"MAYBE"}})"))),
            "PROVIDER_BAD_ANSWER");
  EXPECT_EQ(code_of(read_gemini_analysis(R"({"promptFeedback":{"blockReason":"SAFETY"}})")),
            "PROVIDER_REFUSED!");
  EXPECT_EQ(code_of(read_gemini_image(R"({"candidates":[{"finishReason":"IMAGE_SAFETY"}]})")),
            "PROVIDER_REFUSED!");
  EXPECT_EQ(code_of(read_gemini_image(R"({"candidates":[{"finishReason":"MAX_TOKENS"}]})")),
            "PROVIDER_BAD_ANSWER");
  EXPECT_EQ(code_of(read_gemini_image(gemini_text("no image today"))), "PROVIDER_BAD_ANSWER");
  EXPECT_EQ(*read_gemini_image(R"({"candidates":[{"content":{"parts":[{"text":"a"},)"
                               R"({"inlineData":{"mimeType":"image/png","data":"QUJD"}}]}}]})"),
            "QUJD");
}

TEST(Seedream, AnswersOfAllKinds) {
  EXPECT_EQ(*read_seedream_image(R"({"data":[{"b64_json":"QUJD","size":"1x1"}]})"), "QUJD");
  EXPECT_EQ(code_of(read_seedream_image("")), "PROVIDER_BAD_ANSWER");
  EXPECT_EQ(code_of(read_seedream_image(R"({"data":[]})")), "PROVIDER_BAD_ANSWER");
  EXPECT_EQ(code_of(read_seedream_image(R"({"data":[{"url":"http://x"}]})")), "PROVIDER_BAD_ANSWER");
  EXPECT_EQ(code_of(read_seedream_image(
                R"({"data":[{"error":{"code":"OutputImageSensitiveContentDetected","message":"m"}}]})")),
            "PROVIDER_REFUSED!");
}

class PostTest : public testing::Test {
 protected:
  static Asking asking_of(const LocalServer& server) {
    Asking asking;
    asking.name = "Somebody";
    asking.url = server.url() + "/ask";
    asking.headers = {"x-key: secret-key"};
    asking.answer_ms_max = 300;
    asking.patience_ms = 1'500;
    asking.clock = &system_clock;
    return asking;
  }
  static std::string words(std::string_view body) { return std::string(body); }
};

TEST_F(PostTest, IsAskedAgainWhenItSays) {
  int calls = 0;
  LocalServer server([&](const SeenRequest&) {
    const bool is_first = ++calls == 1;
    auto response = is_first ? answer_with(429, "slower") : answer_with(200, "yes");
    response.headers.emplace_back("Retry-After", "1");
    return response;
  });
  const int64_t begun_ms = system_clock.steady_ms();
  const auto answer = post_json(asking_of(server), "{}", words, {});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(*answer, "yes");
  EXPECT_GE(system_clock.steady_ms() - begun_ms, 1'000);
  EXPECT_EQ(server.seen()[1].headers.at("x-key"), "secret-key");
}

TEST_F(PostTest, CodesOfTrouble) {
  const std::vector<std::pair<int, std::string>> cases = {
      {400, "PROVIDER_REFUSED!"}, {401, "PROVIDER_KEY_REFUSED!"}, {403, "PROVIDER_KEY_REFUSED!"},
      {404, "PROVIDER_REFUSED!"}, {429, "PROVIDER_QUOTA"},        {500, "PROVIDER_UNAVAILABLE"},
      {504, "PROVIDER_TIMEOUT"}};
  for (const auto& [status, code] : cases) {
    LocalServer server([status](const SeenRequest&) { return answer_with(status, "words"); });
    auto asking = asking_of(server);
    asking.patience_ms = 0;
    const auto answer = post_json(asking, "{}", words, {});
    EXPECT_EQ(code_of(answer), code);
    EXPECT_EQ(answer.error().message, "Somebody answers with status " + std::to_string(status) + ": words");
    EXPECT_EQ(server.seen().size(), 1U);
  }
}

TEST_F(PostTest, ASilentProviderIsATimeout) {
  // Requests are taken, and not answered while anybody waits.
  std::vector<http::Responder> kept;
  auto server = *http::Server::listen(
      {}, [&kept](const http::Request&, http::Responder responder) { kept.push_back(std::move(responder)); });
  Asking asking;
  asking.name = "Somebody";
  asking.url = "http://127.0.0.1:" + std::to_string(server->port()) + "/";
  asking.answer_ms_max = 200;
  asking.patience_ms = 0;
  asking.clock = &system_clock;
  EXPECT_EQ(code_of(post_json(asking, "{}", words, {})), "PROVIDER_TIMEOUT");
  kept.clear();
}

TEST_F(PostTest, NobodyThereIsUnavailable) {
  Asking asking;
  asking.name = "Somebody";
  asking.url = "http://127.0.0.1:1/";
  asking.patience_ms = 0;
  asking.clock = &system_clock;
  const auto answer = post_json(asking, "{}", words, {});
  EXPECT_EQ(code_of(answer), "PROVIDER_UNAVAILABLE");
}

TEST(RetryAfter, InSecondsOrAsADate) {
  const ManualClock clock(784'111'777'000);  // Sun, 06 Nov 1994 08:49:37 GMT
  http::ClientAnswer answer;
  EXPECT_EQ(retry_after_ms(answer, clock), 0);
  answer.headers = {{"retry-after", "7"}};
  EXPECT_EQ(retry_after_ms(answer, clock), 7'000);
  answer.headers = {{"retry-after", "Sun, 06 Nov 1994 08:49:47 GMT"}};
  EXPECT_EQ(retry_after_ms(answer, clock), 10'000);
  answer.headers = {{"retry-after", "soon"}};
  EXPECT_EQ(retry_after_ms(answer, clock), 0);
  answer.headers = {{"retry-after", "-3"}};
  EXPECT_EQ(retry_after_ms(answer, clock), 0);
}

}  // namespace
}  // namespace waybill::worker::photo
