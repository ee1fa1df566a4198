#include "asset/product_json.h"
#include "asset/stages.h"
#include "asset/zip_writer.h"
#include "base/utf8.h"

namespace waybill::asset {

namespace {

constexpr std::string_view manifest_format = "waybill-asset/1";
constexpr std::string_view manifest_name = "manifest.json";

// Files of one name, from several stages, do not meet.
std::string entry_name(const Source& source) {
  return source.stage.empty() ? source.name : source.stage + "/" + source.name;
}

std::string manifest_of(const Request& request) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("format").string(manifest_format);
  out.key("prompt").string(request.prompt);
  out.key("seed").integer(request.seed);
  out.key("model_version").string(request.model_version);
  out.key("files").begin_array();
  for (const auto& source : request.sources) {
    out.begin_object().key("name").string(entry_name(source));
    if (!source.stage.empty()) {
      out.key("stage").string(source.stage);
    }
    out.key("media_type").string(source.media_type);
    out.key("bytes").integer(static_cast<int64_t>(source.bytes.size()));
    out.key("sha256").string(source.sha256);
    out.key("metrics").raw(metrics_json(source.metrics)).end_object();
  }
  out.end_array().end_object();
  return text + "\n";
}

// What goes into the manifest must be text.
Status check_texts(const Source& source) {
  bool is_text = is_utf8(source.media_type) && is_utf8(source.name);
  for (const auto& metric : source.metrics) {
    is_text = is_text && is_utf8(metric.name);
  }
  return is_text ? Status() : Status(invalid("the names of inputs and of their metrics must be UTF-8"));
}

}  // namespace

Result<Made> export_files(Request& request) {
  WAYBILL_TRY(request.parameters.finish());
  ZipWriter archive;
  for (const auto& source : request.sources) {
    WAYBILL_TRY(check_texts(source));
    WAYBILL_TRY(archive.add(entry_name(source), source.bytes));
  }
  WAYBILL_TRY(archive.add(std::string(manifest_name), manifest_of(request)));
  const auto before = static_cast<double>(archive.bytes_before());
  Made made{std::move(archive).finish(), {}};
  made.metrics = {{"files", static_cast<double>(request.sources.size())},
                  {"bytes_before", before},
                  {"bytes_after", static_cast<double>(made.bytes.size())}};
  return made;
}

}  // namespace waybill::asset
