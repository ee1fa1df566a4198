// links: api
//
// The input is what clients of the jobs API send: a path, a cursor, and a body, which is read as a new record
// and as a patch. What is read as a record is written out again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/jobs/document.h"
#include "api/jobs/path.h"
#include "api/jobs/record_json.h"
#include "base/check.h"
#include "contract/reader.h"
#include "job/cursor.h"
#include "rules/deployed.h"

namespace {

using namespace waybill;

// Has a field of each type.
constexpr const char* contract_text = R"(contract: types
version: 1
table: {name: types, key: [PK, SK]}
records:
  thing:
    key: {PK: "A#{a}", SK: "B#{b}"}
    fields:
      a: string
      b: int
      n?: number
      bytes?: binary
      words?: {set_of: string}
      numbers?: {set_of: int}
      list?: {list_of: {fields: {data: binary}}}
      map?:
        fields:
          inner?:
            fields:
              deep?: string
          bytes?: binary
      free?: map
)";

rules::DeployedPtr deployed() {
  contract::Problems problems;
  return *rules::deploy(*contract::read_contract(contract_text, problems), contract_text);
}

void read_body(const rules::Deployed& contract, std::string_view text) {
  const auto& kind = *contract.find("thing");
  std::string room(text);
  room.append(json::padding_bytes, ' ');
  api::jobs::Document document;
  const auto parsed = document.parse(std::string_view(room).substr(0, text.size()));
  if (!parsed || !parsed->is_object()) {
    return;
  }
  const auto record = api::jobs::read_record(*kind.record, document, *parsed);
  WAYBILL_CHECK(record || !record.error().message.empty());
  if (record) {
    std::string out;
    api::jobs::append_record(out, contract, kind, record->view());
    const std::size_t size = out.size();
    out.append(json::padding_bytes, ' ');
    api::jobs::Document again;
    WAYBILL_CHECK(again.parse(std::string_view(out).substr(0, size)).has_value());
  }
  const auto patch = api::jobs::read_patch(*kind.record, document, *parsed);
  WAYBILL_CHECK(patch || !patch.error().message.empty());
}

void read_path(const std::string& text) {
  using Shape = api::jobs::Path::Shape;
  const auto path = api::jobs::parse_path(text);
  if (path.shape != Shape::record) {
    return;
  }
  const auto again = api::jobs::parse_path(api::jobs::path_of_record(path.contract, path.record, path.id));
  WAYBILL_CHECK(again.shape == Shape::record && again.id == path.id && again.verb.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  static const auto contract = deployed();
  const std::string text(reinterpret_cast<const char*>(data), size);
  read_path("/v1/" + text);
  if (const auto place = job::parse_cursor("list", text); place && !text.empty()) {
    const auto again = job::parse_cursor("list", job::print_cursor("list", *place));
    WAYBILL_CHECK(again && *again == *place);
  }
  read_body(*contract, text);
  return 0;
}
