#include "asset/texture.h"

#include <algorithm>
#include <cmath>

#include "asset/canvas.h"
#include "asset/filters.h"
#include "asset/vector.h"

namespace waybill::asset {

namespace {

constexpr int colours_side = 64;  // of the level that the back is made of, in pixels

// What the relief covers of the picture; transparent beyond the picture.
Canvas cropped(const Image& image, const Relief& relief) {
  const auto pixels = [&](int points) {
    return std::max(static_cast<int>(std::lround(static_cast<float>(points - 1) * relief.cell_pixels)), 1);
  };
  const Canvas whole = canvas_of(image);
  Canvas crop(pixels(relief.columns), pixels(relief.rows));
  const int left = static_cast<int>(std::lround(relief.left));
  const int top = static_cast<int>(std::lround(relief.top));
  for (int y = 0; y < crop.height; ++y) {
    for (int x = 0; x < crop.width; ++x) {
      const int from_x = x + left;
      const int from_y = y + top;
      if (from_x >= 0 && from_y >= 0 && from_x < image.width && from_y < image.height) {
        crop.row(y)[x] = whole.row(from_y)[from_x];
      }
    }
  }
  return crop;
}

// At half the size. One opaque pixel of four is enough to make the new one opaque: what little is known of a
// place counts for more than what is known of places far away.
Canvas halved(const Canvas& canvas) {
  Canvas half((canvas.width + 1) / 2, (canvas.height + 1) / 2);
  for (int y = 0; y < half.height; ++y) {
    for (int x = 0; x < half.width; ++x) {
      auto& pixel = half.row(y)[x];
      for (std::size_t c = 0; c < 4; ++c) {
        pixel[c] = canvas.near(2 * x, 2 * y)[c] + canvas.near(2 * x + 1, 2 * y)[c] +
                   canvas.near(2 * x, 2 * y + 1)[c] + canvas.near(2 * x + 1, 2 * y + 1)[c];
      }
      const float most = std::max(pixel[3], 1.0F);
      for (auto& value : pixel) {
        value /= most;
      }
    }
  }
  return half;
}

// `coarse` at a pixel of the level that is twice as fine.
Canvas::Pixel from_coarse(const Canvas& coarse, int x, int y) {
  const int near_x = x / 2;
  const int near_y = y / 2;
  const int far_x = x % 2 == 0 ? near_x - 1 : near_x + 1;
  const int far_y = y % 2 == 0 ? near_y - 1 : near_y + 1;
  Canvas::Pixel pixel{};
  for (std::size_t c = 0; c < 4; ++c) {
    pixel[c] = (9 * coarse.near(near_x, near_y)[c] + 3 * coarse.near(far_x, near_y)[c] +
                3 * coarse.near(near_x, far_y)[c] + coarse.near(far_x, far_y)[c]) /
               16;
  }
  return pixel;
}

// Lets what is transparent be filled from the next coarser level.
void fill_from(Canvas& canvas, const Canvas& coarse) {
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      auto& pixel = canvas.row(y)[x];
      const float missing = 1 - pixel[3];
      if (missing > 0) {
        const auto filling = from_coarse(coarse, x, y);
        for (std::size_t c = 0; c < 4; ++c) {
          pixel[c] += missing * filling[c];
        }
      }
    }
  }
}

void make_opaque(Canvas& canvas) {
  for (auto& pixel : canvas.pixels) {
    const float alpha = std::max(pixel[3], 1e-4F);
    for (auto& value : pixel) {
      value /= alpha;
    }
    pixel[3] = 1;
  }
}

// From the picture itself to one pixel, each level filled from the one below.
std::vector<Canvas> filled_levels(Canvas finest) {
  std::vector<Canvas> levels;
  levels.push_back(std::move(finest));
  while (levels.back().width > 1 || levels.back().height > 1) {
    levels.push_back(halved(levels.back()));
  }
  make_opaque(levels.back());
  for (std::size_t i = levels.size() - 1; i > 0; --i) {
    fill_from(levels[i - 1], levels[i]);
  }
  return levels;
}

// How thick the thing is at a pixel of a canvas that covers the whole relief, in cells; 0 outside.
float thickness_at(const Relief& relief, const Canvas& canvas, int x, int y) {
  const auto point = [](int pixel, int pixels, int points) {
    return static_cast<int>(std::lround((static_cast<float>(pixel) + 0.5F) / static_cast<float>(pixels) *
                                        static_cast<float>(points - 1)));
  };
  return relief
      .back[relief.index(point(x, canvas.width, relief.columns), point(y, canvas.height, relief.rows))];
}

// What is near the outline is seen from behind as well; what is in the middle is not, and only its
// surroundings tell what it may look like there.
Canvas only_rim(const Canvas& canvas, const Relief& relief) {
  constexpr float rim_cells = 9;
  Canvas rim = canvas;
  for (int y = 0; y < rim.height; ++y) {
    for (int x = 0; x < rim.width; ++x) {
      const float kept = 1 - smooth_step(0, rim_cells, thickness_at(relief, canvas, x, y));
      for (auto& value : rim.row(y)[x]) {
        value *= kept;
      }
    }
  }
  return rim;
}

// The front turns into the back towards the outline, so that the seam is not seen.
void blend_rim(Canvas& front, const Canvas& back, const Relief& relief) {
  for (int y = 0; y < front.height; ++y) {
    for (int x = 0; x < front.width; ++x) {
      const float share = smooth_step(0.5F, 4, thickness_at(relief, front, x, y));
      for (std::size_t c = 0; c < 4; ++c) {
        front.row(y)[x][c] = mix(back.row(y)[x][c], front.row(y)[x][c], share);
      }
    }
  }
}

// Opaque, without details: the level that is no wider than `colours_side`, made as large as the finest again.
Canvas only_colours(const std::vector<Canvas>& levels) {
  std::size_t coarse = 0;
  while (coarse + 1 < levels.size() && std::max(levels[coarse].width, levels[coarse].height) > colours_side) {
    ++coarse;
  }
  return resampled(levels[coarse], levels.front().width, levels.front().height);
}

}  // namespace

Image paint_texture(const Image& image, const Relief& relief, int side) {
  const Canvas crop = cropped(image, relief);
  const int longer = std::max(crop.width, crop.height);
  const auto scaled = [&](int pixels) {
    return std::max(static_cast<int>(int64_t{pixels} * side / longer), 1);
  };
  const int width = scaled(crop.width);
  const int height = scaled(crop.height);
  Canvas front = resampled(crop, width, height);
  const Canvas back = only_colours(filled_levels(only_rim(front, relief)));
  front = std::move(filled_levels(std::move(front)).front());
  blend_rim(front, back, relief);
  Canvas both(width * 2, height);
  for (int y = 0; y < height; ++y) {
    std::copy_n(front.row(y), width, both.row(y));
    std::copy_n(back.row(y), width, both.row(y) + width);
  }
  make_opaque(both);
  return image_of(both);
}

}  // namespace waybill::asset
