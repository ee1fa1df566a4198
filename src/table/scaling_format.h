#pragma once

#include "base/json.h"
#include "table/member_reader.h"
#include "table/scaling.h"

namespace waybill::table {

// The member "scaling" in the stored form of a table or an index; left out where nothing is registered.
void write_scaling(json::Writer& out, const Scaling& scaling);
Scaling read_scaling(const MemberReader& in);

}  // namespace waybill::table
