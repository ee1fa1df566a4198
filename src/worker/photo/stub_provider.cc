#include "worker/photo/stub_provider.h"

#include "worker/trouble.h"

namespace waybill::worker::photo {

Result<media::Analysis> StubProvider::analyse(const Shot& shot) const {
  auto analysis = shot.studio->analyse({shot.original});
  if (!analysis) {
    return image_trouble(analysis.error());
  }
  return analysis;
}

Result<media::Picture> StubProvider::edit(const Shot& shot, const std::string& output,
                                          media::Format format) const {
  media::EditTask task;
  task.input = shot.original;
  task.output = output;
  task.format = format;
  const auto edited = shot.studio->edit(task);
  if (!edited) {
    return image_trouble(edited.error());
  }
  return edited->output;
}

}  // namespace waybill::worker::photo
