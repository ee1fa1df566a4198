#include "asset/painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "asset/trigonometry.h"

namespace waybill::asset {

namespace {

constexpr int oversampling = 2;  // along each side, against jagged edges
constexpr float nowhere = -10;   // deeper than every part

const Vec3 key_light = unit({-0.48F, 0.62F, 0.66F});
const Vec3 key_colour = {1.18F, 1.1F, 0.98F};
const Vec3 fill_light = unit({0.8F, -0.1F, 0.5F});
const Vec3 fill_colour = {0.14F, 0.18F, 0.26F};
const Vec3 sky_colour = {0.3F, 0.33F, 0.4F};
const Vec3 ground_colour = {0.16F, 0.13F, 0.11F};

// What is seen at one place.
struct Sample {
  float z = nowhere;
  Vec3 normal;
  Vec3 colour;
  float gloss = 0;
  float glow = 0;

  bool is_covered() const { return z > nowhere; }
};

class Scene {
 public:
  Scene(int side, uint32_t salt)
      : side_(side), salt_(salt), samples_(static_cast<std::size_t>(side) * static_cast<std::size_t>(side)) {}

  int side() const { return side_; }
  float unit_of(int pixel) const {
    return (static_cast<float>(pixel) + 0.5F) * 2 / static_cast<float>(side_) - 1;
  }
  int pixel_of(float unit) const {
    return static_cast<int>(std::floor((unit + 1) * 0.5F * static_cast<float>(side_)));
  }

  Sample& at(int x, int y) { return samples_[index(x, y)]; }
  const Sample& at(int x, int y) const { return samples_[index(x, y)]; }
  float depth_at(int x, int y) const {
    return x < 0 || y < 0 || x >= side_ || y >= side_ ? nowhere : at(x, y).z;
  }

  void add(const Part& part) {
    const int left = std::max(pixel_of(part.least.x) - 1, 0);
    const int right = std::min(pixel_of(part.most.x) + 1, side_ - 1);
    const int top = std::max(pixel_of(-part.most.y) - 1, 0);
    const int bottom = std::min(pixel_of(-part.least.y) + 1, side_ - 1);
    for (int y = top; y <= bottom; ++y) {
      for (int x = left; x <= right; ++x) {
        if (const auto hit = part.sight(unit_of(x), -unit_of(y))) {
          lay(at(x, y), *hit, part.finish, {unit_of(x), -unit_of(y)});
        }
      }
    }
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(side_) + static_cast<std::size_t>(x);
  }

  Vec3 colour_at(const Finish& finish, Vec2 place, float z) const {
    Vec3 colour = finish.colour;
    if (finish.band_height > 0) {
      // Bands hang a little lower in front, as on something round.
      const float phase =
          (place.y + 0.12F * z + 0.04F * noise(place.x * 5, place.y * 5, salt_)) / finish.band_height;
      const float wave = std::fabs(phase - std::floor(phase) - 0.5F) * 2;
      colour = mix(colour, finish.band_colour, smooth_step(0.46F, 0.54F, wave));
    }
    const float rough = rough_noise(place.x * 9 + z * 4, place.y * 9, salt_) - 0.5F;
    return colour * (1 + 2 * finish.mottle * rough);
  }

  // Parts that come near each other grow into each other.
  void lay(Sample& sample, const Hit& hit, const Finish& finish, Vec2 place) const {
    float share = hit.z > sample.z ? 1.0F : 0.0F;
    if (finish.blend > 0 && sample.is_covered()) {
      share = smooth_step(-finish.blend, finish.blend, hit.z - sample.z);
    }
    if (share <= 0) {
      return;
    }
    const Vec3 colour = colour_at(finish, place, hit.z);
    const float bulge = finish.blend * share * (1 - share);
    sample.z = sample.is_covered() ? mix(sample.z, hit.z, share) + bulge : hit.z;
    sample.normal = unit(mix(sample.normal, hit.normal, share));
    sample.colour = mix(sample.colour, colour, share);
    sample.gloss = mix(sample.gloss, finish.gloss, share);
    sample.glow = mix(sample.glow, finish.glow, share);
  }

  const int side_;
  const uint32_t salt_;
  std::vector<Sample> samples_;
};

struct Offset {
  int x;
  int y;
  float distance;
};

// Where to look for what stands around a place: two rings of eight.
std::vector<Offset> rings(const Scene& scene) {
  std::vector<Offset> offsets;
  for (const float radius : {0.035F, 0.09F}) {
    for (int i = 0; i < 8; ++i) {
      const double angle = pi / 4 * i + (radius > 0.05F ? pi / 8 : 0);
      const double pixels = radius * scene.side() / 2;
      offsets.push_back({static_cast<int>(std::lround(cosine(angle) * pixels)),
                         static_cast<int>(std::lround(sine(angle) * pixels)), radius});
    }
  }
  return offsets;
}

// How much of the sky is seen from a place, 0 to 1.
float openness(const Scene& scene, const std::vector<Offset>& offsets, int x, int y) {
  const float z = scene.at(x, y).z;
  float hidden = 0;
  for (const auto& offset : offsets) {
    const float rise = (scene.depth_at(x + offset.x, y + offset.y) - z) / offset.distance;
    // What stands far in front is another thing, and hides less.
    hidden += rise > 0 ? rise / (1 + rise) / (1 + 0.5F * rise) : 0;
  }
  return clamped(1 - 1.7F * hidden / static_cast<float>(offsets.size()), 0, 1);
}

// How much of the light from the upper left arrives, 0 to 1.
float lit(const Scene& scene, int x, int y) {
  constexpr int steps = 14;
  constexpr float reach = 0.34F;
  const float z = scene.at(x, y).z;
  float worst = 0;
  for (int i = 1; i <= steps; ++i) {
    const float along = reach * static_cast<float>(i) / steps;
    const float pixels = along * static_cast<float>(scene.side()) / 2;
    const int to_x = x + static_cast<int>(key_light.x * pixels);
    const int to_y = y - static_cast<int>(key_light.y * pixels);
    const float over = scene.depth_at(to_x, to_y) - (z + key_light.z * along + 0.012F);
    worst = std::max(worst, over / (0.02F + 0.25F * along));
  }
  return 1 - 0.75F * clamped(worst, 0, 1);
}

Vec3 shade(const Scene& scene, const std::vector<Offset>& offsets, int x, int y) {
  const Sample& sample = scene.at(x, y);
  const Vec3 n = sample.normal;
  const float open = openness(scene, offsets, x, y);
  const float direct = lit(scene, x, y);
  const float facing = clamped((dot(n, key_light) + 0.25F) / 1.25F, 0, 1);
  Vec3 light = key_colour * (facing * direct);
  light = light + fill_colour * clamped(dot(n, fill_light), 0, 1);
  light = light + mix(ground_colour, sky_colour, 0.5F + 0.5F * n.y) * open;
  Vec3 colour = sample.colour * light;

  const Vec3 half_way = unit(key_light + Vec3{0, 0, 1});
  float shine = clamped(dot(n, half_way), 0, 1);
  for (int i = 0; i < 3 + static_cast<int>(sample.gloss * 3); ++i) {
    shine *= shine;
  }
  const float edge = 1 - clamped(n.z, 0, 1);
  const float rim = edge * edge * edge;
  colour = colour + Vec3{1, 0.97F, 0.92F} * (shine * sample.gloss * 0.75F * direct);
  colour = colour + mix(sky_colour, sample.colour, 0.4F) * (rim * (0.25F + 0.35F * sample.gloss) * open);
  return mix(colour, sample.colour, sample.glow);
}

// Bright light does not clip, and the eye sees the root of it.
uint8_t shown(float linear, float grain) {
  const float value = std::max(linear, 0.0F);
  const float rolled = value * (1 + value / 6) / (1 + value * 0.55F) * 1.28F;
  return static_cast<uint8_t>(std::lround(clamped(std::sqrt(rolled) + grain, 0, 1) * 255));
}

}  // namespace

Image paint(const Figure& figure, const PaintOptions& options) {
  Scene scene(options.side * oversampling, options.salt);
  for (const auto& part : figure) {
    scene.add(part);
  }
  const auto offsets = rings(scene);
  Dice grain("grain", static_cast<int64_t>(options.salt));
  Image image(options.side, options.side);
  for (int y = 0; y < options.side; ++y) {
    for (int x = 0; x < options.side; ++x) {
      Vec3 sum;
      int covered = 0;
      for (int i = 0; i < oversampling * oversampling; ++i) {
        const int sx = x * oversampling + i % oversampling;
        const int sy = y * oversampling + i / oversampling;
        if (scene.at(sx, sy).is_covered()) {
          sum = sum + shade(scene, offsets, sx, sy);
          ++covered;
        }
      }
      if (covered > 0) {
        const Vec3 colour = sum * (1 / static_cast<float>(covered));
        const float noise_here = options.grain * (grain.between(-1, 1) + grain.between(-1, 1));
        uint8_t* const pixel = image.at(x, y);
        pixel[0] = shown(colour.x, noise_here);
        pixel[1] = shown(colour.y, noise_here);
        pixel[2] = shown(colour.z, noise_here);
        pixel[3] = static_cast<uint8_t>(covered * 255 / (oversampling * oversampling));
      }
    }
  }
  return image;
}

}  // namespace waybill::asset
