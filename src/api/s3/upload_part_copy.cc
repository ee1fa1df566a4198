#include <algorithm>
#include <string>

#include "api/s3/copy_source.h"
#include "api/s3/object_headers.h"
#include "api/s3/operations.h"
#include "api/s3/upload_part.h"
#include "base/iso_time.h"
#include "bucket/errors.h"
#include "object/block_format.h"
#include "object/byte_range.h"

namespace waybill::api::s3 {
namespace {

constexpr std::size_t piece_bytes = 16 * object::block_bytes;

Result<object::ByteRange> wanted_range(const Request& request, const bucket::ObjectRow& source) {
  const auto& header = request.header("x-amz-copy-source-range");
  if (header.empty()) {
    return object::ByteRange{0, source.bytes};
  }
  auto range = object::read_copy_range(header, source.bytes);
  if (!range) {
    return bucket::refusal("InvalidArgument", range.error().message);
  }
  return range;
}

// Read and written again, so that it is checked on its way.
Result<object::StoredContent> copy_range(const Call& call, const bucket::ObjectRow& source,
                                         object::ByteRange range, const object::WriterOptions& options) {
  WAYBILL_TRY_ASSIGN(const auto reader, call.buckets().open_content(source));
  WAYBILL_TRY_ASSIGN(auto writer, call.buckets().begin_content(options));
  std::string piece;
  for (uint64_t done = 0; done < range.length; done += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<uint64_t>(piece_bytes, range.length - done)));
    WAYBILL_TRY_ASSIGN(const std::size_t read, reader.read(range.first + done, piece));
    if (read != piece.size()) {
      return Error{ErrorKind::corruption, "the content " + source.content + " ends too early", {}};
    }
    WAYBILL_TRY(writer.append(piece));
  }
  return writer.commit();
}

Result<bucket::PartRow> copy(const Call& call) {
  WAYBILL_TRY_ASSIGN(const auto target, find_part_target(call));
  WAYBILL_TRY_ASSIGN(const auto source, find_copy_source(call));
  WAYBILL_TRY_ASSIGN(const auto range, wanted_range(call.request(), source));
  if (range.length > target.bytes_max) {
    return bucket::too_large(target.bytes_max);
  }
  object::WriterOptions options{target.bytes_max, {}};
  if (target.upload.checksum) {
    options.algorithms.push_back(target.upload.checksum->algorithm);
  }
  WAYBILL_TRY_ASSIGN(const auto content, copy_range(call, source, range, options));
  return call.buckets().put_part(target.upload, target.number, content);
}

}  // namespace

void upload_part_copy(Call call) {
  const auto part = copy(call);
  if (!part) {
    call.fail(part.error());
    return;
  }
  Xml xml;
  xml.open_root("CopyPartResult");
  xml.element("LastModified", iso_time(part->modified_ms));
  xml.element("ETag", etag_header(part->md5));
  if (part->checksum) {
    xml.element("Checksum" + std::string(object::name_of(part->checksum->algorithm)), part->checksum->text);
  }
  xml.close("CopyPartResult");
  call.answer_xml(std::move(xml));
}

}  // namespace waybill::api::s3
