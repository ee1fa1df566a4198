// Conversions of an image service (WebP and thumbnail): a bare loop of libvips in this process, the same
// through one child of a studio, and by how much the second is slower. Both read a JPEG and leave two synced
// files.
//
//   waybill_media_bench [ROUNDS]     as a child of itself it is called with "child"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <vips/vips.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "media/child.h"
#include "media/studio.h"

namespace {

using waybill::SystemClock;
using waybill::media::ConvertTask;
using waybill::media::Studio;

constexpr int quality = 85;
constexpr int thumbnail_side = 300;

// Slopes and some noise, about as dense as a photo.
void write_photo(int width, int height, const std::string& path) {
  std::vector<unsigned char> pixels;
  unsigned random = 1;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      random = random * 1664525 + 1013904223;
      const auto grain = static_cast<int>(random >> 28);
      const int shape = (x / 50 + y / 70) % 3 * 40;
      pixels.push_back(static_cast<unsigned char>(x * 180 / width + grain));
      pixels.push_back(static_cast<unsigned char>(y * 180 / height + grain + shape / 2));
      pixels.push_back(static_cast<unsigned char>(60 + shape + grain));
    }
  }
  VipsImage* image =
      vips_image_new_from_memory(pixels.data(), pixels.size(), width, height, 3, VIPS_FORMAT_UCHAR);
  WAYBILL_CHECK(vips_jpegsave(image, path.c_str(), "Q", 90, nullptr) == 0);
  g_object_unref(image);
}

void save(VipsImage* image, const std::string& path) {
  void* data = nullptr;
  std::size_t bytes = 0;
  WAYBILL_CHECK(vips_webpsave_buffer(image, &data, &bytes, "Q", quality, "strip", TRUE, nullptr) == 0);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  WAYBILL_CHECK(::write(file, data, bytes) == static_cast<ssize_t>(bytes) && ::fsync(file) == 0);
  ::close(file);
  g_free(data);
}

void convert_bare(const ConvertTask& task) {
  std::ifstream file(task.input, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  VipsImage* opened = nullptr;
  WAYBILL_CHECK(vips_jpegload_buffer(bytes.data(), bytes.size(), &opened, "access", VIPS_ACCESS_SEQUENTIAL,
                                     nullptr) == 0);
  VipsImage* image = vips_image_copy_memory(opened);
  g_object_unref(opened);
  VipsImage* small = nullptr;
  save(image, task.image);
  WAYBILL_CHECK(vips_thumbnail_image(image, &small, thumbnail_side, "height", thumbnail_side, nullptr) == 0);
  save(small, task.thumbnail);
  g_object_unref(small);
  g_object_unref(image);
}

// Milliseconds for one, the median of `rounds`.
struct Times {
  std::vector<double> ms;

  void add(const std::function<void()>& work) {
    const SystemClock clock;
    const int64_t begin_us = clock.steady_us();
    work();
    ms.push_back(static_cast<double>(clock.steady_us() - begin_us) / 1000);
  }
  double median() {
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
  }
};

void compare(int width, int height, int rounds, const std::string& folder, Studio& studio) {
  const ConvertTask task{folder + "/in.jpg", folder + "/image.webp", folder + "/thumbnail.webp"};
  write_photo(width, height, task.input);
  const auto through_studio = [&] {
    const auto converted = studio.convert(task);
    WAYBILL_CHECK(converted.has_value());
  };
  convert_bare(task);
  through_studio();
  Times bare;
  Times children;
  for (int round = 0; round < rounds; ++round) {
    // Turn by turn: whatever else the machine does meets both.
    bare.add([&] { convert_bare(task); });
    children.add(through_studio);
  }
  const double bare_ms = bare.median();
  const double children_ms = children.median();
  std::printf("%5d x %-5d bare %8.2f ms (%6.1f/s)   studio %8.2f ms (%6.1f/s)   overhead %+.1f %%\n", width,
              height, bare_ms, 1000 / bare_ms, children_ms, 1000 / children_ms,
              (children_ms / bare_ms - 1) * 100);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "child") {
    return waybill::media::child_main();
  }
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 15;
  WAYBILL_CHECK(vips_init(argv[0]) == 0);
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  std::string folder = (std::filesystem::temp_directory_path() / "waybill-media-bench-XXXXXX").string();
  WAYBILL_CHECK(::mkdtemp(folder.data()) != nullptr);
  {
    const SystemClock clock;
    Studio::Options options;
    options.child = {"/proc/self/exe", "child"};
    options.children_max = 1;
    options.clock = &clock;
    Studio studio(options);
    for (const auto& [width, height] : {std::pair(400, 300), std::pair(1600, 1200), std::pair(4000, 3000)}) {
      compare(width, height, rounds, folder, studio);
    }
  }
  std::filesystem::remove_all(folder);
  return 0;
}
