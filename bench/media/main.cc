// Conversions of an image service (WebP and thumbnail): a bare loop of libvips in this process, the same
// through one child of a studio, and by how much the second is slower. Both read a JPEG and leave two
// files.
//
//   waybill_media_bench [ROUNDS]     as a child of itself it is called with "child"
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "media/child.h"
#include "media/studio.h"
#include "plain/photos.h"

namespace {

using waybill::SystemClock;
using waybill::media::ConvertTask;
using waybill::media::Studio;

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
  waybill::bench::write_photo({width, height, 1}, task.input);
  const auto through_studio = [&] {
    const auto converted = studio.convert(task);
    WAYBILL_CHECK(converted.has_value());
  };
  const auto bare_loop = [&] { waybill::bench::convert_plainly({task.input, task.image, task.thumbnail}); };
  bare_loop();
  through_studio();
  Times bare;
  Times children;
  for (int round = 0; round < rounds; ++round) {
    // Turn by turn: whatever else the machine does meets both.
    bare.add(bare_loop);
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
  waybill::bench::begin_vips(argv[0]);
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
