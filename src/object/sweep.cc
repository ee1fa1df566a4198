#include "object/sweep.h"

namespace waybill::object {
namespace {

struct Sweep {
  const IsKnown& is_known;
  int64_t older_than_ms;
  SweepReport report;

  Status visit_content(const Descriptor& folder, const std::string& name) {
    const auto id = ContentId::parse(name);
    if (!id) {
      ++report.foreign;
      return {};
    }
    ++report.seen;
    if (id->committed_ms() >= older_than_ms) {
      return {};
    }
    WAYBILL_TRY_ASSIGN(const bool known, is_known(*id));
    if (!known) {
      WAYBILL_TRY_ASSIGN(const bool was_there, remove_file(folder, name));
      report.removed += was_there ? 1 : 0;
    }
    return {};
  }

  Status visit_folder(const Descriptor& contents, const std::string& name) {
    if (!is_content_folder(name)) {
      ++report.foreign;
      return {};
    }
    WAYBILL_TRY_ASSIGN(const Descriptor folder, open_folder(contents, name));
    return visit_names(folder, [&](const std::string& content) { return visit_content(folder, content); });
  }
};

}  // namespace

Result<SweepReport> sweep_contents(const Folders& folders, const IsKnown& is_known, int64_t older_than_ms) {
  Sweep sweep{is_known, older_than_ms, {}};
  WAYBILL_TRY(visit_names(folders.contents(), [&](const std::string& name) {
    return sweep.visit_folder(folders.contents(), name);
  }));
  return sweep.report;
}

}  // namespace waybill::object
