// P14: the photo editor's provider `stub` really analyses and edits.
#include <filesystem>

#include "media/fixture.h"
#include "media/labels.h"

namespace waybill::media {
namespace {

class EditTest : public MediaTest {
 protected:
  EditTask task_of(std::string_view bytes) const {
    return {write("in", bytes), path("out"), Format::png, 85, false, Crop::none, std::nullopt, false};
  }

  // The result, opened; the test fails where there is none.
  VipsPtr edit(const EditTask& task) {
    const auto edited = studio().edit(task);
    EXPECT_TRUE(edited) << edited.error().message;
    if (!edited) {
      return image_of(photo(1, 1));
    }
    edited_ = *edited;
    return open_file(path("out"));
  }

  Edited edited_;
};

// A gray picture from 80 to 170, 200 by 150.
Pixels fog() {
  return paint(200, 150, [](int x, int) {
    const auto gray = static_cast<uint8_t>(80 + x * 90 / 199);
    return Rgb{gray, gray, gray};
  });
}

TEST_F(EditTest, P14_a_picture_is_cropped_levelled_and_sharpened) {
  auto task = task_of(file_of(photo(1010, 700), ".jpg"));
  task.format = Format::jpeg;
  task.auto_levels = task.sharpen = true;
  task.crop = Crop::attention;
  const auto out = edit(task);
  EXPECT_EQ(out->Xsize, 1010);
  EXPECT_EQ(out->Ysize, 673) << "3:2";
  EXPECT_EQ(edited_.original.height, 700);
  EXPECT_EQ(edited_.output.width, 1010);
  EXPECT_EQ(edited_.output.height, 673);
  EXPECT_EQ(edited_.output.format, Format::jpeg);
  EXPECT_EQ(edited_.output.bytes, static_cast<int64_t>(std::filesystem::file_size(path("out"))));
  EXPECT_EQ(files(), 2);
}

TEST_F(EditTest, every_format_that_is_written_is_written) {
  for (const auto format : {Format::jpeg, Format::png, Format::webp}) {
    auto task = task_of(file_of(photo(120, 80), ".png"));
    task.format = format;
    edit(task);
    EXPECT_EQ(format_of(content("out")), format);
  }
}

TEST_F(EditTest, levels_reach_from_black_to_white) {
  auto task = task_of(file_of(fog(), ".png"));
  task.auto_levels = true;
  const auto out = edit(task);
  EXPECT_LT(point(out.get(), 0, 70)[0], 5);
  EXPECT_GT(point(out.get(), 199, 70)[0], 250);
  EXPECT_NEAR(point(out.get(), 100, 70)[0], 128, 8);
}

TEST_F(EditTest, attention_goes_where_something_is) {
  const auto pixels = paint(400, 100, [](int x, int y) {
    const bool thing = x >= 300 && x < 380 && y >= 20 && y < 80;
    return thing ? Rgb{230, static_cast<uint8_t>(noise(x, y) / 3), 30} : Rgb{120, 120, 125};
  });
  auto task = task_of(file_of(pixels, ".png"));
  task.ratio = Ratio{1, 1};
  task.crop = Crop::attention;
  const auto found = edit(task);
  EXPECT_EQ(found->Xsize, 100);
  EXPECT_EQ(found->Ysize, 100);
  EXPECT_GT(point(found.get(), 50, 50)[0], 200);
  task.crop = Crop::centre;
  const auto middle = edit(task);
  EXPECT_EQ(middle->Xsize, 100);
  EXPECT_NEAR(point(middle.get(), 50, 50)[0], 120, 2);
}

TEST_F(EditTest, borders_go_and_a_blank_picture_stays) {
  const auto framed = paint(200, 100, [](int x, int y) {
    return x >= 30 && x < 150 && y >= 10 && y < 70 ? Rgb{20, 90, 200} : Rgb{250, 250, 250};
  });
  auto task = task_of(file_of(framed, ".png"));
  task.crop = Crop::borders;
  const auto trimmed = edit(task);
  EXPECT_EQ(trimmed->Xsize, 120);
  EXPECT_EQ(trimmed->Ysize, 60);
  write("in", file_of(paint(50, 40, [](int, int) { return Rgb{9, 9, 9}; }), ".png"));
  EXPECT_EQ(edit(task)->Xsize, 50);
}

TEST_F(EditTest, sharpening_makes_edges_steeper) {
  const auto soft = paint(100, 100, [](int x, int) {
    const auto gray = static_cast<uint8_t>(x < 50 ? 80 : x == 50 ? 125 : 170);
    return Rgb{gray, gray, gray};
  });
  auto task = task_of(file_of(soft, ".png"));
  // Files are read when a point is asked for: before the next one takes their place.
  const auto step = [](const VipsPtr& image) {
    return point(image.get(), 51, 50)[0] - point(image.get(), 49, 50)[0];
  };
  const double before = step(edit(task));
  task.sharpen = true;
  EXPECT_GT(step(edit(task)), before + 10);
}

TEST_F(EditTest, transparency_stays_and_is_white_in_a_jpeg) {
  const auto opaque = image_of(photo(80, 80));
  VipsImage* half = nullptr;
  ASSERT_EQ(vips_bandjoin_const1(opaque.get(), &half, 0, nullptr), 0);
  auto task = task_of(file_of(half, ".png"));
  g_object_unref(half);
  task.auto_levels = task.sharpen = true;
  EXPECT_EQ(edit(task)->Bands, 4);
  task.format = Format::jpeg;
  EXPECT_GT(point(edit(task).get(), 40, 40)[2], 245);
  EXPECT_NE(studio().analyse({task.input})->description.find("with transparent parts"), std::string::npos);
}

TEST_F(EditTest, the_same_again_is_the_same_to_the_byte) {
  auto task = task_of(file_of(photo(300, 200), ".jpg"));
  task.auto_levels = task.sharpen = true;
  task.crop = Crop::attention;
  edit(task);
  const auto first = content("out");
  studio_.reset();
  edit(task);
  EXPECT_EQ(content("out"), first);
}

TEST_F(EditTest, orientation_is_applied_and_metadata_goes) {
  auto task = task_of(jpeg_with(photo(120, 80), 6,
                                {{"exif-ifd0-Artist", "Somebody (Somebody, ASCII, 9 components, 9 bytes)"}}));
  for (const auto format : {Format::jpeg, Format::png, Format::webp}) {
    task.format = format;
    const auto out = edit(task);
    EXPECT_EQ(out->Xsize, 80);
    EXPECT_EQ(vips_image_get_orientation(out.get()), 1);
    EXPECT_EQ(content("out").find("Somebody"), std::string::npos);
  }
}

TEST_F(EditTest, P14_an_analysis_tells_what_is_there) {
  const auto outside = paint(1200, 900, [](int x, int y) {
    const int shade = noise(x, y) / 10;
    return y < 400 ? Rgb{static_cast<uint8_t>(110 + shade), static_cast<uint8_t>(170 + shade), 240}
                   : Rgb{static_cast<uint8_t>(50 + shade), static_cast<uint8_t>(130 + shade), 50};
  });
  for (const auto* suffix : {".jpg", ".png", ".webp", ".gif", ".avif"}) {
    const auto analysis = studio().analyse({write("in", file_of(outside, suffix))});
    ASSERT_TRUE(analysis) << analysis.error().message;
    std::vector<std::string> names;
    for (const auto& label : analysis->labels) {
      names.push_back(label.name);
    }
    for (const auto* name : {"Sky", "Vegetation", "Green", "Blue", "Landscape format"}) {
      EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name << " of " << suffix;
    }
    EXPECT_TRUE(
        analysis->description.starts_with("A colorful landscape picture of 1200 by 900 pixels, mostly green"))
        << analysis->description;
    EXPECT_EQ(analysis->safe_search.adult, Likelihood::very_unlikely);
    EXPECT_EQ(analysis->original.width, 1200);
    EXPECT_EQ(analysis->original.height, 900);
  }
}

TEST_F(EditTest, an_analysis_of_a_turned_picture_tells_how_it_is_shown) {
  const auto analysis = studio().analyse({write("in", jpeg_with(photo(3000, 2000), 6))});
  ASSERT_TRUE(analysis);
  EXPECT_EQ(analysis->original.width, 2000);
  EXPECT_EQ(analysis->original.height, 3000);
  EXPECT_NE(analysis->description.find("portrait picture of 2000 by 3000"), std::string::npos);
}

}  // namespace
}  // namespace waybill::media
