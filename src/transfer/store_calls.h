#pragma once

#include "base/result.h"
#include "store/store.h"

// Calls of the store that wait for their outcome. Never to be made on a thread of the store's.
namespace waybill::transfer {

Status put_note(store::Store& store, table::Note note);
Status end_import(store::Store& store, std::string table, store::ImportEnd end, table::Note note);

}  // namespace waybill::transfer
