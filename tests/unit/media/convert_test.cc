// I11: an original becomes a WebP and a thumbnail, and all three are told.
#include <filesystem>

#include "media/fixture.h"

namespace waybill::media {
namespace {

using ConvertTest = MediaTest;

void expect_picture(const Picture& picture, int64_t width, int64_t height, Format format) {
  EXPECT_EQ(picture.width, width);
  EXPECT_EQ(picture.height, height);
  EXPECT_EQ(picture.format, format);
}

TEST_F(ConvertTest, I11_every_format_becomes_webp_with_a_thumbnail) {
  const std::pair<Format, std::string> formats[] = {{Format::jpeg, ".jpg"},
                                                    {Format::png, ".png"},
                                                    {Format::webp, ".webp"},
                                                    {Format::gif, ".gif"},
                                                    {Format::avif, ".avif"}};
  for (const auto& [format, suffix] : formats) {
    const auto bytes = file_of(photo(640, 480), suffix);
    const auto converted = studio().convert(convert_task(bytes));
    ASSERT_TRUE(converted) << suffix << ": " << converted.error().message;
    expect_picture(converted->original, 640, 480, format);
    expect_picture(converted->image, 640, 480, Format::webp);
    expect_picture(converted->thumbnail, 300, 225, Format::webp);
    EXPECT_EQ(converted->original.bytes, static_cast<int64_t>(bytes.size()));
    EXPECT_EQ(converted->image.bytes, static_cast<int64_t>(std::filesystem::file_size(path("image.webp"))));
    EXPECT_EQ(converted->thumbnail.bytes,
              static_cast<int64_t>(std::filesystem::file_size(path("thumbnail.webp"))));
    const auto image = open_file(path("image.webp"));
    EXPECT_EQ(image->Xsize, 640);
    EXPECT_NEAR(point(image.get(), 600, 20)[0], 190, 25) << suffix;
    EXPECT_EQ(open_file(path("thumbnail.webp"))->Ysize, 225);
    EXPECT_EQ(files(), 3);
  }
}

TEST_F(ConvertTest, quality_is_what_was_asked_for) {
  auto task = convert_task(file_of(photo(640, 480), ".png"));
  const auto good = studio().convert(task);
  const auto file = content("image.webp");
  EXPECT_NE(file_of(photo(640, 480), ".webp[Q=85]").find(file.substr(file.find("VP8 "))), std::string::npos);
  task.quality = 20;
  const auto poor = studio().convert(task);
  ASSERT_TRUE(good && poor);
  EXPECT_LT(poor->image.bytes, good->image.bytes);
}

TEST_F(ConvertTest, the_same_again_is_the_same_to_the_byte) {
  const auto bytes = file_of(photo(500, 400), ".jpg");
  ASSERT_TRUE(studio().convert(convert_task(bytes)));
  const auto image = content("image.webp");
  const auto thumbnail = content("thumbnail.webp");
  studio_.reset();
  ASSERT_TRUE(studio().convert(convert_task(bytes)));
  EXPECT_EQ(content("image.webp"), image);
  EXPECT_EQ(content("thumbnail.webp"), thumbnail);
}

// A red corner at the upper left of what the camera held; where it is seen afterwards tells how it was
// turned.
TEST_F(ConvertTest, all_eight_orientations_are_applied) {
  const auto pixels =
      paint(120, 80, [](int x, int y) { return x < 40 && y < 40 ? Rgb{255, 0, 0} : Rgb{0, 0, 255}; });
  struct Expected {
    int orientation;
    bool on_its_side;
    bool right;
    bool bottom;
  };
  const Expected all[] = {{1, false, false, false}, {2, false, true, false}, {3, false, true, true},
                          {4, false, false, true},  {5, true, false, false}, {6, true, true, false},
                          {7, true, true, true},    {8, true, false, true}};
  for (const auto& expected : all) {
    const auto converted = studio().convert(convert_task(jpeg_with(pixels, expected.orientation)));
    ASSERT_TRUE(converted) << converted.error().message;
    const int width = expected.on_its_side ? 80 : 120;
    const int height = expected.on_its_side ? 120 : 80;
    expect_picture(converted->original, width, height, Format::jpeg);
    expect_picture(converted->image, width, height, Format::webp);
    for (const auto* file : {"image.webp", "thumbnail.webp"}) {
      const auto image = open_file(path(file));
      EXPECT_EQ(vips_image_get_orientation(image.get()), 1);
      const auto seen =
          point(image.get(), expected.right ? width - 10 : 10, expected.bottom ? height - 10 : 10);
      ASSERT_EQ(seen.size(), 3U);
      EXPECT_GT(seen[0], 200) << "orientation " << expected.orientation << " of " << file;
      EXPECT_LT(seen[2], 80) << "orientation " << expected.orientation << " of " << file;
    }
  }
}

TEST_F(ConvertTest, where_and_by_whom_it_was_taken_is_not_carried_over) {
  const auto bytes =
      jpeg_with(photo(400, 300), 1,
                {{"exif-ifd0-Artist", "Somebody (Somebody, ASCII, 9 components, 9 bytes)"},
                 {"exif-ifd3-GPSLatitude", "52/1 31/1 12/1 (52, 31, 12, Rational, 3 components, 24 bytes)"}});
  ASSERT_NE(bytes.find("Somebody"), std::string::npos) << "the original must have what is to go";
  ASSERT_TRUE(studio().convert(convert_task(bytes)));
  for (const auto* file : {"image.webp", "thumbnail.webp"}) {
    EXPECT_EQ(content(file).find("Somebody"), std::string::npos);
    EXPECT_EQ(content(file).find("EXIF"), std::string::npos);
    EXPECT_EQ(content(file).find("XMP "), std::string::npos);
    EXPECT_EQ(content(file).find("ICCP"), std::string::npos);
    EXPECT_EQ(vips_image_get_typeof(open_file(path(file)).get(), VIPS_META_EXIF_NAME), 0U);
  }
}

TEST_F(ConvertTest, of_an_animation_the_first_frame_is_taken) {
  // Two frames, one above the other, is how libvips holds an animation.
  const auto frames =
      image_of(paint(60, 80, [](int, int y) { return y < 40 ? Rgb{250, 0, 0} : Rgb{0, 250, 0}; }));
  vips_image_set_int(frames.get(), VIPS_META_PAGE_HEIGHT, 40);
  for (const auto* suffix : {".gif", ".webp"}) {
    const auto converted = studio().convert(convert_task(file_of(frames.get(), suffix)));
    ASSERT_TRUE(converted) << converted.error().message;
    expect_picture(converted->image, 60, 40, Format::webp);
    EXPECT_GT(point(open_file(path("image.webp")).get(), 30, 20)[0], 200);
  }
}

TEST_F(ConvertTest, what_is_small_is_not_made_larger_and_what_is_thin_stays) {
  const auto small = studio().convert(convert_task(file_of(photo(20, 10), ".png")));
  ASSERT_TRUE(small) << small.error().message;
  expect_picture(small->thumbnail, 20, 10, Format::webp);
  const auto dot = studio().convert(convert_task(file_of(photo(1, 1), ".png")));
  ASSERT_TRUE(dot) << dot.error().message;
  expect_picture(dot->thumbnail, 1, 1, Format::webp);
  const auto thin = studio().convert(convert_task(file_of(photo(3000, 2), ".png")));
  ASSERT_TRUE(thin) << thin.error().message;
  expect_picture(thin->thumbnail, 300, 1, Format::webp);
}

TEST_F(ConvertTest, what_webp_cannot_hold_shrinks) {
  const auto converted = studio().convert(convert_task(file_of(photo(20'000, 100), ".png")));
  ASSERT_TRUE(converted) << converted.error().message;
  expect_picture(converted->original, 20'000, 100, Format::png);
  expect_picture(converted->image, 16'383, 82, Format::webp);
}

TEST_F(ConvertTest, transparency_gray_and_sixteen_bits_are_kept_as_they_look) {
  VipsImage* black = nullptr;
  VipsImage* deep = nullptr;
  const double scale[] = {0, 0, 0, 0};
  const double colour[] = {65535, 32896, 0, 32896};
  vips_black(&black, 64, 64, "bands", 4, nullptr);
  vips_linear(black, &deep, scale, colour, 4, nullptr);
  VipsImage* cast = nullptr;
  VipsImage* rgba = nullptr;
  vips_cast(deep, &cast, VIPS_FORMAT_USHORT, nullptr);
  vips_copy(cast, &rgba, "interpretation", VIPS_INTERPRETATION_RGB16, nullptr);
  ASSERT_TRUE(studio().convert(convert_task(file_of(rgba, ".png"))));
  const auto seen = point(open_file(path("image.webp")).get(), 32, 32);
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_NEAR(seen[0], 255, 8);
  EXPECT_NEAR(seen[1], 128, 8);
  EXPECT_NEAR(seen[2], 0, 12);
  EXPECT_NEAR(seen[3], 128, 2);
  for (VipsImage* image : {black, deep, cast, rgba}) {
    g_object_unref(image);
  }
  VipsImage* gray = nullptr;
  const auto coloured = image_of(photo(64, 64));
  vips_colourspace(coloured.get(), &gray, VIPS_INTERPRETATION_B_W, nullptr);
  EXPECT_TRUE(studio().convert(convert_task(file_of(gray, ".jpg"))));
  g_object_unref(gray);
}

TEST_F(ConvertTest, colours_of_other_profiles_become_those_of_srgb) {
  const auto green = image_of(paint(64, 64, [](int, int) { return Rgb{60, 200, 60}; }));
  VipsImage* wide = nullptr;
  ASSERT_EQ(vips_icc_transform(green.get(), &wide, "p3", "input_profile", "srgb", nullptr), 0);
  const auto bytes = file_of(wide, ".png");
  g_object_unref(wide);
  ASSERT_NE(bytes.find("iCCP"), std::string::npos);
  ASSERT_TRUE(studio().convert(convert_task(bytes)));
  const auto seen = point(open_file(path("image.webp")).get(), 32, 32);
  EXPECT_NEAR(seen[0], 60, 6);
  EXPECT_NEAR(seen[1], 200, 6);
}

TEST_F(ConvertTest, old_outputs_are_replaced_and_missing_folders_are_told) {
  auto task = convert_task(file_of(photo(64, 64), ".png"));
  write("image.webp", "old");
  ASSERT_TRUE(studio().convert(task));
  EXPECT_TRUE(content("image.webp").starts_with("RIFF"));
  std::filesystem::remove(task.image);
  std::filesystem::remove(task.thumbnail);
  task.thumbnail = path("no-folder/thumbnail.webp");
  const auto converted = studio().convert(task);
  ASSERT_FALSE(converted);
  EXPECT_EQ(converted.error().kind, ErrorKind::not_found);
  EXPECT_EQ(files(), 1);
}

// The second of two renames fails: the first must be taken back.
TEST_F(ConvertTest, both_files_are_put_in_their_places_or_none) {
  auto task = convert_task(file_of(photo(64, 64), ".png"));
  std::filesystem::create_directory(task.thumbnail);
  const auto converted = studio().convert(task);
  ASSERT_FALSE(converted);
  EXPECT_EQ(files(), 2) << "the input, and the folder that is in the way";
}

TEST_F(ConvertTest, tasks_that_break_a_rule_are_told_which) {
  auto task = convert_task(file_of(photo(64, 64), ".png"));
  task.quality = 101;
  EXPECT_EQ(studio().convert(task).error().message, "\"quality\" must be a whole number from 1 to 100");
  task.quality = 85;
  task.thumbnail = task.image;
  EXPECT_EQ(studio().convert(task).error().kind, ErrorKind::invalid);
  task.thumbnail = std::string(100'000, 'x');
  EXPECT_EQ(studio().convert(task).error().message, "the paths of the files are too long");
  task.thumbnail = path("t");
  task.input = path("no-such-file");
  EXPECT_EQ(studio().convert(task).error().kind, ErrorKind::not_found);
  EXPECT_EQ(studio().load().children, 1U) << "none of this is a reason to die";
}

}  // namespace
}  // namespace waybill::media
