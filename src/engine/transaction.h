#pragma once

#include "engine/batch.h"
#include "store/store.h"

namespace waybill::engine {

// Decides a transaction against the store and the batch, and adds its changes to the batch where it is
// accepted. The outcome may be told once the batch is on disk.
store::Outcome decide(store::Transaction& transaction, Batch& batch);

}  // namespace waybill::engine
