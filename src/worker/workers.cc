#include "worker/workers.h"

#include "worker/assets_worker.h"
#include "worker/image_worker.h"
#include "worker/photo_worker.h"
#include "worker/steps_worker.h"
#include "worker/text_worker.h"

namespace waybill::worker {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Worker> (*make)();
};

template <typename Kind>
std::unique_ptr<Worker> make() {
  return std::make_unique<Kind>();
}

constexpr Entry entries[] = {
    {"photo", make<PhotoWorker>}, {"image", make<ImageWorker>},   {"text", make<TextWorker>},
    {"steps", make<StepsWorker>}, {"assets", make<AssetsWorker>},
};

}  // namespace

std::vector<std::string_view> worker_names() {
  std::vector<std::string_view> names;
  for (const auto& entry : entries) {
    names.push_back(entry.name);
  }
  return names;
}

std::unique_ptr<Worker> make_worker(std::string_view name) {
  for (const auto& entry : entries) {
    if (entry.name == name) {
      return entry.make();
    }
  }
  return nullptr;
}

}  // namespace waybill::worker
