#include "media/message.h"

#include <gtest/gtest.h>

namespace waybill::media {
namespace {

template <typename T>
T same_task(const T& task) {
  json::Parser parser;
  const auto read = read_request(parser, request_line({task, ".part-1"}));
  EXPECT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->part, ".part-1");
  return std::get<T>(read->task);
}

std::string problem(std::string_view line) {
  json::Parser parser;
  const auto read = read_request(parser, line);
  return read ? "" : read.error().message;
}

TEST(Message, tasks_arrive_as_they_were_sent) {
  const auto convert = same_task(ConvertTask{"/in \"1\"\n", "/a", "/b", 70, 120});
  EXPECT_EQ(convert.input, "/in \"1\"\n");
  EXPECT_EQ(convert.image, "/a");
  EXPECT_EQ(convert.thumbnail, "/b");
  EXPECT_EQ(convert.quality, 70);
  EXPECT_EQ(convert.thumbnail_side_max, 120);
  EXPECT_EQ(same_task(AnalyseTask{"/in"}).input, "/in");
  const auto edit =
      same_task(EditTask{"/in", "/out", Format::png, 50, false, Crop::centre, Ratio{16, 9}, false});
  EXPECT_EQ(edit.output, "/out");
  EXPECT_EQ(edit.format, Format::png);
  EXPECT_EQ(edit.quality, 50);
  EXPECT_FALSE(edit.auto_levels);
  EXPECT_EQ(edit.crop, Crop::centre);
  EXPECT_EQ(edit.ratio->width, 16);
  EXPECT_FALSE(edit.sharpen);
  EXPECT_FALSE(same_task(EditTask{"/in", "/out"}).ratio);
}

TEST(Message, one_line_each) {
  EXPECT_EQ(request_line({ConvertTask{"a\nb", "c", "d"}, ".p"}).find('\n'), std::string::npos);
  EXPECT_EQ(error_line(invalid("a\nb")).find('\n'), std::string::npos);
}

TEST(Message, limits_arrive_as_they_were_sent) {
  Limits sent;
  sent.wall_ms_max = 1;
  sent.memory_bytes_max = int64_t{1} << 40;
  json::Parser parser;
  const auto read = read_limits(parser, limits_line(sent));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->wall_ms_max, 1);
  EXPECT_EQ(read->memory_bytes_max, int64_t{1} << 40);
  EXPECT_EQ(read->pixels_max, sent.pixels_max);
  EXPECT_FALSE(read_limits(parser, R"({"limits":{}})"));
  EXPECT_FALSE(read_limits(parser, "[]"));
}

TEST(Message, what_is_wrong_with_a_task_is_named) {
  for (const auto* line : {"", "x", "[]", "\"\xff\""}) {
    EXPECT_EQ(problem(line), "a request is an object of JSON, in UTF-8");
  }
  EXPECT_EQ(problem("{}"), "\"part\" must be a text");
  EXPECT_EQ(problem(R"({"part":"/etc"})"), "\"part\" must be the end of a file's name");
  EXPECT_EQ(problem(R"({"part":".p"})"), "\"edit\" must be an object");
  EXPECT_EQ(problem(R"({"part":".p","analyse":{}})"), "\"input\" must be a text");
  EXPECT_EQ(problem(R"({"part":".p","analyse":{"input":"a\u0000b"}})"), "\"input\" must be a path");
  EXPECT_EQ(problem(R"({"part":".p","edit":{"input":"a","output":"b","quality":1.5}})"),
            "\"quality\" must be a whole number from 1 to 100");
  const auto edit = [](const std::string& rest) {
    return problem(
        R"({"part":".p","edit":{"input":"a","output":"b","quality":9,"autoLevels":true,"sharpen":true,)" +
        rest + "}}");
  };
  EXPECT_EQ(edit(R"("format":"gif")"), "\"format\" must be jpeg, png or webp");
  EXPECT_EQ(edit(R"("format":"png","crop":"x")"), "\"crop\" must be none, borders, attention or centre");
  EXPECT_EQ(edit(R"("format":"png","crop":"none","ratio":"1")"),
            "\"ratio\" must be two numbers from 1 to 100, as in 16:9");
  EXPECT_EQ(edit(R"("format":"png","crop":"none","ratio":"1:1")"), "");
}

TEST(Message, results_and_errors_arrive_as_they_were_sent) {
  json::Parser parser;
  const Picture picture{4000, 3000, 123'456, Format::jpeg};
  const Analysis analysis{
      {{"Blue", 0.93}}, "A picture.", {Likelihood::unlikely, Likelihood::possible}, picture};
  EXPECT_EQ(to_json(analysis), R"({"labels":[{"name":"Blue","confidence":0.93}],"description":"A picture.",)"
                               R"("safeSearch":{"adult":"UNLIKELY","violence":"POSSIBLE"},)"
                               R"("original":{"width":4000,"height":3000,"size":123456,"format":"jpeg"}})");
  const auto read = read_analysis(*read_answer(parser, result_line(to_json(analysis))));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json(*read), to_json(analysis));
  const Converted converted{picture, {1, 2, 3, Format::webp}, {4, 5, 6, Format::webp}};
  EXPECT_EQ(to_json(*read_converted(*read_answer(parser, result_line(to_json(converted))))),
            to_json(converted));
  const Edited edited{picture, {1, 2, 3, Format::png}};
  EXPECT_EQ(to_json(*read_edited(*read_answer(parser, result_line(to_json(edited))))), to_json(edited));

  const auto error = read_answer(parser, error_line({ErrorKind::too_large, "much", "very"}));
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().kind, ErrorKind::too_large);
  EXPECT_EQ(error.error().message, "much");
  EXPECT_EQ(error.error().detail, "very");
}

TEST(Message, answers_of_a_child_gone_mad_are_errors) {
  json::Parser parser;
  for (const auto* line : {"", "x", "[]", "{}", "{\"result\":1}", "{\"error\":1}", "\xff\xfe"}) {
    const auto answer = read_answer(parser, line);
    ASSERT_FALSE(answer) << line;
    EXPECT_EQ(answer.error().kind, ErrorKind::malformed);
  }
  EXPECT_FALSE(read_converted(*read_answer(parser, R"({"result":{}})")));
  EXPECT_FALSE(read_analysis(*read_answer(parser, R"({"result":{"labels":[1]}})")));
  EXPECT_FALSE(read_edited(*read_answer(parser, R"({"result":{"original":{"width":-1}}})")));
  EXPECT_EQ(read_answer(parser, R"({"error":{"kind":"odd"}})").error().kind, ErrorKind::internal);
}

}  // namespace
}  // namespace waybill::media
