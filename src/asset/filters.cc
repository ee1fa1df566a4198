#include "asset/filters.h"

#include <algorithm>
#include <cmath>

#include "asset/trigonometry.h"

namespace waybill::asset {

namespace {

using Pixel = Canvas::Pixel;

float brightness(const Pixel& pixel) {
  return 0.2126F * pixel[0] + 0.7152F * pixel[1] + 0.0722F * pixel[2];
}

bool is_opaque(const Pixel& pixel) {
  return pixel[3] > 0.99F;
}

float difference(const Pixel& a, const Pixel& b) {
  float sum = 0;
  for (std::size_t c = 0; c < 4; ++c) {
    sum += (a[c] - b[c]) * (a[c] - b[c]);
  }
  return sum;
}

double lanczos(double x) {
  constexpr double lobes = 3;
  if (x < 0) {
    x = -x;
  }
  if (x < 1e-8) {
    return 1;
  }
  return x >= lobes ? 0 : lobes * sine(pi * x) * sine(pi * x / lobes) / (pi * pi * x * x);
}

// Which pixels of the old row make one of the new, and how much of each.
struct Recipe {
  int first = 0;
  std::vector<float> weights;
};

std::vector<Recipe> recipes_for(int from, int to) {
  const double scale = static_cast<double>(from) / to;
  const double spread = std::max(scale, 1.0);  // made wider where the picture shrinks
  std::vector<Recipe> recipes(static_cast<std::size_t>(to));
  for (int i = 0; i < to; ++i) {
    auto& recipe = recipes[static_cast<std::size_t>(i)];
    const double centre = (i + 0.5) * scale - 0.5;
    recipe.first = static_cast<int>(std::ceil(centre - 3 * spread));
    const int last = static_cast<int>(std::floor(centre + 3 * spread));
    double sum = 0;
    for (int j = recipe.first; j <= last; ++j) {
      sum += lanczos((j - centre) / spread);
    }
    for (int j = recipe.first; j <= last; ++j) {
      recipe.weights.push_back(static_cast<float>(lanczos((j - centre) / spread) / sum));
    }
  }
  return recipes;
}

void add(Pixel& sum, const Pixel& pixel, float weight) {
  for (std::size_t c = 0; c < 4; ++c) {
    sum[c] += pixel[c] * weight;
  }
}

// Rings around edges must not make alpha leave 0 to 1, nor colours leave alpha.
void settle(Pixel& pixel) {
  pixel[3] = std::clamp(pixel[3], 0.0F, 1.0F);
  for (std::size_t c = 0; c < 3; ++c) {
    pixel[c] = std::clamp(pixel[c], 0.0F, pixel[3]);
  }
}

Canvas widened(const Canvas& canvas, int width) {
  const auto recipes = recipes_for(canvas.width, width);
  Canvas result(width, canvas.height);
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto& recipe = recipes[static_cast<std::size_t>(x)];
      int at = recipe.first;
      for (const float weight : recipe.weights) {
        add(result.row(y)[x], canvas.near(at++, y), weight);
      }
    }
  }
  return result;
}

Canvas heightened(const Canvas& canvas, int height) {
  const auto recipes = recipes_for(canvas.height, height);
  Canvas result(canvas.width, height);
  for (int y = 0; y < height; ++y) {
    const auto& recipe = recipes[static_cast<std::size_t>(y)];
    Pixel* const row = result.row(y);
    int at = recipe.first;
    for (const float weight : recipe.weights) {
      const Pixel* const from = canvas.row(std::clamp(at++, 0, canvas.height - 1));
      for (int x = 0; x < canvas.width; ++x) {
        add(row[x], from[x], weight);
      }
    }
    std::for_each(row, row + canvas.width, settle);
  }
  return result;
}

// The brightness below which a share of the opaque pixels is.
float percentile(const std::vector<std::size_t>& histogram, std::size_t total, double share) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    seen += histogram[i];
    if (static_cast<double>(seen) >= static_cast<double>(total) * share) {
      return static_cast<float>(i) / static_cast<float>(histogram.size() - 1);
    }
  }
  return 1;
}

}  // namespace

Canvas denoised(const Canvas& canvas, float strength) {
  constexpr int reach = 2;
  const float tolerance = 0.12F * strength;
  if (tolerance <= 0) {
    return canvas;
  }
  const float limit = tolerance * tolerance;
  Canvas result(canvas.width, canvas.height);
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      const Pixel& centre = canvas.row(y)[x];
      if (centre[3] <= 0) {
        continue;
      }
      Pixel sum{};
      float weights = 0;
      for (int dy = -reach; dy <= reach; ++dy) {
        for (int dx = -reach; dx <= reach; ++dx) {
          const Pixel& other = canvas.near(x + dx, y + dy);
          // Tukey's biweight: what differs by more than the tolerance does not count at all.
          const float alike = std::max(1 - difference(centre, other) / limit, 0.0F);
          const float weight = alike * alike / static_cast<float>(6 + dx * dx + dy * dy);
          add(sum, other, weight);
          weights += weight;
        }
      }
      for (std::size_t c = 0; c < 4; ++c) {
        result.row(y)[x][c] = sum[c] / weights;
      }
    }
  }
  return result;
}

Canvas resampled(const Canvas& canvas, int width, int height) {
  return heightened(widened(canvas, width), height);
}

Canvas sharpened(const Canvas& canvas, float amount) {
  if (amount <= 0) {
    return canvas;
  }
  Canvas result = canvas;
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      Pixel& pixel = result.row(y)[x];
      // Not at the silhouette, where the ground would be part of the blur.
      if (!is_opaque(pixel)) {
        continue;
      }
      float blurred = 0;
      float weights = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const Pixel& other = canvas.near(x + dx, y + dy);
          const float weight = static_cast<float>((2 - dx * dx) * (2 - dy * dy)) * other[3];
          blurred += brightness(other) / std::max(other[3], 1e-6F) * weight;
          weights += weight;
        }
      }
      const float more = amount * (brightness(pixel) - blurred / weights);
      for (std::size_t c = 0; c < 3; ++c) {
        pixel[c] += more;
      }
      settle(pixel);
    }
  }
  return result;
}

float stretch_levels(Canvas& canvas) {
  constexpr float gain_max = 1.5F;
  std::vector<std::size_t> histogram(256);
  std::size_t total = 0;
  for (const auto& pixel : canvas.pixels) {
    if (is_opaque(pixel)) {
      ++histogram[static_cast<std::size_t>(std::clamp(brightness(pixel), 0.0F, 1.0F) * 255)];
      ++total;
    }
  }
  if (total == 0) {
    return 1;
  }
  const float dark = percentile(histogram, total, 0.002);
  const float bright = percentile(histogram, total, 0.998);
  const float gain = std::clamp(0.96F / std::max(bright - dark * 0.5F, 0.01F), 1.0F, gain_max);
  const float floor = dark * 0.5F;
  for (auto& pixel : canvas.pixels) {
    for (std::size_t c = 0; c < 3; ++c) {
      pixel[c] = (pixel[c] - floor * pixel[3]) * gain;
    }
    settle(pixel);
  }
  return gain;
}

double noise_of(const Canvas& canvas) {
  double sum = 0;
  std::size_t count = 0;
  for (int y = 1; y + 1 < canvas.height; ++y) {
    for (int x = 1; x + 1 < canvas.width; ++x) {
      float response = 0;
      bool opaque = true;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const Pixel& pixel = canvas.row(y + dy)[x + dx];
          opaque = opaque && is_opaque(pixel);
          const int weight = (dx == 0 ? -2 : 1) * (dy == 0 ? -2 : 1);
          response += static_cast<float>(weight) * brightness(pixel);
        }
      }
      if (opaque) {
        sum += std::fabs(response);
        ++count;
      }
    }
  }
  constexpr double root_of_half_pi = 1.2533141373155003;
  return count == 0 ? 0 : root_of_half_pi * sum / (6 * static_cast<double>(count));
}

}  // namespace waybill::asset
