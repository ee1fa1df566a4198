#pragma once

#include "base/json.h"
#include "table/table.h"

namespace waybill::table {

// Members "KeySchema" and "Projection", in the service's words, of an object that is being written.
void write_key_schema(json::Writer& out, const KeySchema& key);
void write_projection(json::Writer& out, const Projection& projection);

}  // namespace waybill::table
