#pragma once

#include <string>

#include "base/json.h"
#include "contract/model.h"
#include "rules/deployed.h"

// JSON Schemas of records, as OpenAPI 3.1 has them.
namespace waybill::api::jobs {

enum class SchemaOf : unsigned char {
  record,   // as it is stored: what is not optional is there
  created,  // as it is sent to create one: without what the system fills
  partial,  // as lists have it: any of the fields
  patch,    // as it is sent to change one: any of the fields, or null
};

void write_schema(json::Writer& writer, const rules::Deployed& contract, const rules::Kind& kind,
                  SchemaOf what);

}  // namespace waybill::api::jobs
