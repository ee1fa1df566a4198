#pragma once

namespace waybill::load {

// Tries the item function and the histogram without a server and prints what it finds to stderr. False where
// they are not what they promise to be.
bool self_test();

}  // namespace waybill::load
