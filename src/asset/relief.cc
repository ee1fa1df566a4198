#include "asset/relief.h"

#include <algorithm>
#include <cmath>

#include "asset/canvas.h"
#include "asset/trigonometry.h"
#include "asset/vector.h"

namespace waybill::asset {

namespace {

constexpr int margin_cells = 2;
constexpr std::size_t points_least = 24;    // of a thing that can be given a shape
constexpr std::size_t speck_divisor = 100;  // parts smaller than this share of the largest are dropped
constexpr int relaxations = 320;

struct Box {
  int left;
  int top;
  int right;
  int bottom;
};

Box box_of(const Canvas& canvas) {
  Box box{canvas.width, canvas.height, -1, -1};
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      if (canvas.row(y)[x][3] > 0.5F) {
        box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x), std::max(box.bottom, y)};
      }
    }
  }
  return box;
}

Relief grid_over(const Box& box, int detail) {
  const int width = box.right - box.left + 1;
  const int height = box.bottom - box.top + 1;
  Relief relief;
  relief.cell_pixels = static_cast<float>(std::max(width, height)) / static_cast<float>(detail);
  const auto points = [&](int pixels) {
    return static_cast<int>(std::ceil(static_cast<float>(pixels) / relief.cell_pixels)) + 1 +
           2 * margin_cells;
  };
  relief.columns = points(width);
  relief.rows = points(height);
  relief.left = static_cast<float>(box.left) - margin_cells * relief.cell_pixels;
  relief.top = static_cast<float>(box.top) - margin_cells * relief.cell_pixels;
  const std::size_t count = relief.index(0, relief.rows);
  relief.inside.assign(count, -1);
  relief.front.assign(count, 0);
  relief.back.assign(count, 0);
  return relief;
}

// The mean of the picture over the cell around a point; nothing is outside the picture.
Canvas::Pixel mean_around(const Canvas& canvas, const Relief& relief, int column, int row) {
  const int samples = std::clamp(static_cast<int>(std::ceil(relief.cell_pixels)), 2, 8);
  Canvas::Pixel sum{};
  for (int i = 0; i < samples * samples; ++i) {
    const auto part = [&](int k) {
      return (static_cast<float>(k) + 0.5F) / static_cast<float>(samples) - 0.5F;
    };
    const float x = relief.left + (static_cast<float>(column) + part(i % samples)) * relief.cell_pixels;
    const float y = relief.top + (static_cast<float>(row) + part(i / samples)) * relief.cell_pixels;
    const int px = static_cast<int>(std::floor(x));
    const int py = static_cast<int>(std::floor(y));
    if (px >= 0 && py >= 0 && px < canvas.width && py < canvas.height) {
      for (std::size_t c = 0; c < 4; ++c) {
        sum[c] += canvas.row(py)[px][c] / static_cast<float>(samples * samples);
      }
    }
  }
  return sum;
}

// Fills `inside`, and gives the brightness at each point.
std::vector<float> sample(const Canvas& canvas, Relief& relief) {
  constexpr float nearly_nothing = 0.01F;
  std::vector<float> brightness(relief.inside.size());
  for (int row = 1; row + 1 < relief.rows; ++row) {
    for (int column = 1; column + 1 < relief.columns; ++column) {
      const auto mean = mean_around(canvas, relief, column, row);
      const float over = mean[3] - 0.5F;
      const std::size_t at = relief.index(column, row);
      relief.inside[at] =
          std::fabs(over) < nearly_nothing ? (over < 0 ? -nearly_nothing : nearly_nothing) : over;
      brightness[at] = (0.2126F * mean[0] + 0.7152F * mean[1] + 0.0722F * mean[2]) / std::max(mean[3], 0.01F);
    }
  }
  return brightness;
}

// The points that hang together with `start` along the lines of the grid.
std::vector<std::size_t> part_from(const Relief& relief, std::size_t start, std::vector<bool>& seen) {
  std::vector<std::size_t> part{start};
  seen[start] = true;
  const auto columns = static_cast<std::size_t>(relief.columns);
  for (std::size_t i = 0; i < part.size(); ++i) {
    for (const std::size_t next : {part[i] - 1, part[i] + 1, part[i] - columns, part[i] + columns}) {
      if (!seen[next] && relief.inside[next] > 0) {
        seen[next] = true;
        part.push_back(next);
      }
    }
  }
  return part;
}

// Puts specks outside; returns how many points are in the largest part.
std::size_t drop_specks(Relief& relief) {
  std::vector<bool> seen(relief.inside.size());
  std::vector<std::vector<std::size_t>> parts;
  std::size_t largest = 0;
  for (std::size_t i = 0; i < relief.inside.size(); ++i) {
    if (!seen[i] && relief.inside[i] > 0) {
      parts.push_back(part_from(relief, i, seen));
      largest = std::max(largest, parts.back().size());
    }
  }
  for (const auto& part : parts) {
    if (part.size() * speck_divisor < largest || part.size() < points_least) {
      for (const std::size_t at : part) {
        relief.inside[at] = -1;
      }
    }
  }
  return largest;
}

// A membrane that is fixed at the outline and pushed evenly from below: its height is squared thickness, so
// that a disc becomes a ball. Solved by successive over-relaxation.
std::vector<float> membrane_of(const Relief& relief) {
  const auto columns = static_cast<std::size_t>(relief.columns);
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < relief.inside.size(); ++i) {
    if (relief.inside[i] > 0) {
      points.push_back(i);
    }
  }
  const double side = std::sqrt(static_cast<double>(points.size()));
  const auto over = static_cast<float>(2 / (1 + sine(pi / (side + 1))));
  std::vector<float> height(relief.inside.size());
  for (int round = 0; round < relaxations; ++round) {
    for (const std::size_t at : points) {
      const float around = height[at - 1] + height[at + 1] + height[at - columns] + height[at + columns];
      height[at] += over * ((around + 4) / 4 - height[at]);
    }
  }
  return height;
}

// The mean of `from` over the points inside, along one line of the grid through each point.
std::vector<float> blurred(const Relief& relief, const std::vector<float>& from, bool is_across) {
  constexpr int reach = 6;
  std::vector<float> to(from.size());
  const int end = is_across ? relief.columns : relief.rows;
  for (int row = 0; row < relief.rows; ++row) {
    for (int column = 0; column < relief.columns; ++column) {
      const int middle = is_across ? column : row;
      float sum = 0;
      int count = 0;
      for (int i = std::max(middle - reach, 0); i <= std::min(middle + reach, end - 1); ++i) {
        const std::size_t at = is_across ? relief.index(i, row) : relief.index(column, i);
        if (relief.inside[at] > 0) {
          sum += from[at];
          ++count;
        }
      }
      to[relief.index(column, row)] = count > 0 ? sum / static_cast<float>(count) : 0;
    }
  }
  return to;
}

// Brightness without what changes slowly.
std::vector<float> details_of(const Relief& relief, const std::vector<float>& brightness) {
  auto details = blurred(relief, blurred(relief, brightness, true), false);
  for (std::size_t i = 0; i < details.size(); ++i) {
    details[i] = brightness[i] - details[i];
  }
  return details;
}

}  // namespace

Result<Relief> relief_of(const Image& image, const ReliefOptions& options) {
  const Canvas canvas = canvas_of(image);
  const Box box = box_of(canvas);
  if (box.right < 0) {
    return invalid("the picture shows nothing: it is transparent, or of one colour");
  }
  Relief relief = grid_over(box, options.detail);
  const auto brightness = sample(canvas, relief);
  if (drop_specks(relief) < points_least) {
    return invalid("the picture shows nothing large enough to be given a shape");
  }
  const auto membrane = membrane_of(relief);
  const auto details = details_of(relief, brightness);
  constexpr float relief_cells = 7;
  for (std::size_t i = 0; i < relief.inside.size(); ++i) {
    if (relief.inside[i] > 0) {
      const float thickness = std::sqrt(std::max(membrane[i], 0.04F)) * options.depth;
      // Flat at the outline, and never so deep that front and back meet.
      const float more = options.relief * relief_cells * details[i] * smooth_step(0, 6, thickness);
      relief.front[i] = std::max(thickness + more, thickness * 0.5F);
      relief.back[i] = thickness;
    }
  }
  return relief;
}

}  // namespace waybill::asset
