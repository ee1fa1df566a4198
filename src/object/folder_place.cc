#include "object/folder_place.h"

#include <utility>

#include "object/incoming_file.h"

namespace waybill::object {

Result<std::unique_ptr<IncomingContent>> FolderPlace::create() {
  WAYBILL_TRY_ASSIGN(auto file, IncomingFile::create(folders_));
  return std::unique_ptr<IncomingContent>(std::make_unique<IncomingFile>(std::move(file)));
}

Result<std::unique_ptr<PlacedContent>> FolderPlace::open(const ContentId& id) const {
  WAYBILL_TRY_ASSIGN(auto file, folders_->open_content(id));
  WAYBILL_TRY_ASSIGN(const uint64_t bytes, file_bytes(file));
  return std::unique_ptr<PlacedContent>(std::make_unique<PlacedFile>(folders_, std::move(file), bytes));
}

Status FolderPlace::visit(const Visit& visit) {
  return visit_names(folders_->contents(), [&](const std::string& name) -> Status {
    return is_content_folder(name) ? visit_folder(name, visit) : visit({});
  });
}

Status FolderPlace::visit_folder(const std::string& name, const Visit& visit) const {
  WAYBILL_TRY_ASSIGN(const Descriptor folder, open_folder(folders_->contents(), name));
  return visit_names(folder, [&](const std::string& content) -> Status {
    auto id = ContentId::parse(content);
    const int64_t published_ms = id ? id->committed_ms() : 0;
    return visit({std::move(id), published_ms});
  });
}

}  // namespace waybill::object
