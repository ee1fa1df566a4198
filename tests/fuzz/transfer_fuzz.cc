// links: transfer
// Files from outside: CSV gives back what was put into it, and nothing of a manifest or a note can break its
// reader.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/json.h"
#include "transfer/buckets.h"
#include "transfer/csv.h"
#include "transfer/job.h"
#include "transfer/manifest.h"

using namespace waybill;

namespace {

std::string quoted(std::string_view field) {
  std::string text = "\"";
  for (const char c : field) {
    text.append(c == '"' ? 2 : 1, c);
  }
  return text + "\"";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  if (size < 2) {
    return 0;
  }
  const char delimiter = transfer::csv_delimiters[data[0] % transfer::csv_delimiters.size()];
  const std::string_view rest(reinterpret_cast<const char*>(data + 2), size - 2);
  const std::size_t cut = data[1] % (rest.size() + 1);
  const std::vector<std::string> fields{std::string(rest.substr(0, cut)), std::string(rest.substr(cut))};
  const auto back = transfer::split_csv(quoted(fields[0]) + delimiter + quoted(fields[1]), delimiter);
  WAYBILL_CHECK(back && *back == fields);

  table::Table table;
  table.key.partition = {"id", item::Type::string};
  if (const auto split = transfer::split_csv(rest, delimiter)) {
    const std::vector<std::string> header(split->size(), "id");
    WAYBILL_CHECK(transfer::csv_to_json(header, *split, table).has_value());
  }
  static_cast<void>(transfer::read_manifest(rest).has_value());
  static_cast<void>(transfer::read_export({"export/1", std::string(rest), {}}).has_value());
  static_cast<void>(transfer::read_import({"import/1", std::string(rest), {}}).has_value());
  static_cast<void>(table::deserialize_note("n", rest).has_value());
  static_cast<void>(transfer::is_inside(rest));
  return 0;
}
