#pragma once

#include <string_view>

namespace waybill::partiql {

// Whether a word, in small letters, is a keyword of PartiQL: the reserved words of SQL-92 and its own. The
// names of types are not among them: whether the service refuses an attribute called "list" is not known.
bool is_reserved(std::string_view lower);

}  // namespace waybill::partiql
