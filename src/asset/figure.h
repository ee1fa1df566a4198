#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "asset/dice.h"
#include "asset/subject.h"
#include "asset/vector.h"

// A figure is what a picture shows: solid parts, seen from the front, light as yet unknown. x goes right, y
// up, z towards the viewer; the picture shows -1 to 1 of x and y.
namespace waybill::asset {

// Where a line of sight meets a part first.
struct Hit {
  float z = 0;
  Vec3 normal;
};

using Sight = std::function<std::optional<Hit>(float x, float y)>;

// How a part looks.
struct Finish {
  Vec3 colour;
  float gloss = 0.25F;    // 0 is chalk, 1 is glass
  float mottle = 0.12F;   // how far noise changes the colour
  float glow = 0;         // light of its own
  float blend = 0.03F;    // the width over which it grows into what is below it
  float band_height = 0;  // of stripes in `band_colour`, where above 0
  Vec3 band_colour = {};
};

struct Part {
  Vec2 least;  // the box that it is in
  Vec2 most;
  Sight sight;
  Finish finish;
};

using Figure = std::vector<Part>;  // later parts are drawn onto earlier ones, where they are nearer

// An ellipsoid. `tilt` turns it in the picture, in radians.
Part ball(Vec3 centre, Vec3 radii, const Finish& finish, float tilt = 0);

struct LimbEnd {
  Vec3 at;
  float radius;
};

// A capsule that is thicker at one end than at the other.
Part limb(LimbEnd from, LimbEnd to, const Finish& finish);

// A box seen from the front, its edges rounded by `bevel`.
Part block(Vec3 centre, Vec2 half_size, float bevel, const Finish& finish);

struct Turn {
  float y;
  float radius;
};

// What a lathe makes: turned around the vertical through `axis_x`, with these radii, smooth between. `turns`
// go from the bottom upwards and are at least two.
Part turned(float axis_x, std::vector<Turn> turns, const Finish& finish);

// What can be made, by kind; see figure_*.cc.
Figure make_character(const Subject& subject, Dice& dice);
Figure make_robot(const Subject& subject, Dice& dice);
Figure make_tree(const Subject& subject, Dice& dice);
Figure make_mushroom(const Subject& subject, Dice& dice);
Figure make_vessel(const Subject& subject, Dice& dice);
Figure make_rocket(const Subject& subject, Dice& dice);

Figure make_figure(const Subject& subject, Dice& dice);

}  // namespace waybill::asset
