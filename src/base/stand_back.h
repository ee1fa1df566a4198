#pragma once

namespace waybill {

// This thread, and the processes that it starts, stand back so far behind others on this machine, up to 19;
// further than that where they did already.
void stand_back(int nice);

}  // namespace waybill
