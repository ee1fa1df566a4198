#include <array>

#include "asset/dice.h"
#include "asset/figure.h"
#include "asset/painter.h"
#include "asset/png_writer.h"
#include "asset/stages.h"
#include "asset/subject.h"

namespace waybill::asset {

namespace {

double coverage_of(const Image& image) {
  double sum = 0;
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
    sum += image.rgba[i];
  }
  return sum / 255 / static_cast<double>(image.pixels());
}

}  // namespace

Result<Made> text_to_image(Request& request) {
  PaintOptions options;
  options.side = request.parameters.whole("side", {.fallback = 512, .least = 64, .most = 1024});
  WAYBILL_TRY(request.parameters.finish());
  if (request.prompt.empty()) {
    return invalid("text-to-image needs a prompt that says what to draw");
  }
  Dice dice(request.prompt, request.seed);
  const Subject subject = subject_of(request.prompt, dice);
  options.salt = static_cast<uint32_t>(dice.next());
  const Figure figure = make_figure(subject, dice);
  const Image image = paint(figure, options);
  Made made{write_png(image), {}};
  made.metrics = {{"width_pixels", static_cast<double>(image.width)},
                  {"height_pixels", static_cast<double>(image.height)},
                  {"parts", static_cast<double>(figure.size())},
                  {"coverage", coverage_of(image)}};
  return made;
}

}  // namespace waybill::asset
