#include "transfer/csv.h"

#include "base/json.h"
#include "item/value.h"

namespace waybill::transfer {

Result<std::vector<std::string>> split_csv(std::string_view record, char delimiter) {
  std::vector<std::string> fields(1);
  for (std::size_t at = 0; at < record.size();) {
    if (record[at] != '"') {
      const auto end = std::min(record.find(delimiter, at), record.size());
      fields.back() = record.substr(at, end - at);
      at = end;
    } else {
      for (++at;; ++at) {
        const auto quote = record.find('"', at);
        if (quote == std::string_view::npos) {
          return invalid("a quote is not closed");
        }
        fields.back().append(record.substr(at, quote - at));
        at = quote + 1;
        if (at >= record.size() || record[at] != '"') {
          break;
        }
        fields.back().push_back('"');
      }
    }
    if (at < record.size()) {
      if (record[at] != delimiter) {
        return invalid("something stands behind a closing quote");
      }
      fields.emplace_back();
      ++at;
    }
  }
  return fields;
}

Result<std::string> csv_to_json(const std::vector<std::string>& header,
                                const std::vector<std::string>& fields, const table::Table& table) {
  if (fields.size() > header.size()) {
    return invalid("the record has " + std::to_string(fields.size()) + " fields, the header " +
                   std::to_string(header.size()));
  }
  std::string text;
  json::Writer out(text);
  out.begin_object();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto type = table.defined_type(header[i]);
    if (type && fields[i].empty() && !table.key.has(header[i])) {
      continue;
    }
    out.key(header[i]).begin_object();
    out.key(item::type_name(type.value_or(item::Type::string))).string(fields[i]).end_object();
  }
  out.end_object();
  return text;
}

}  // namespace waybill::transfer
