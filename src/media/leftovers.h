#pragma once

#include "media/message.h"

namespace waybill::media {

// Removes what a task has left whose child ended in the middle of it: outputs that are not whole, and the
// image of a conversion whose thumbnail was not put in its place any more.
void remove_leftovers(const Request& request);

}  // namespace waybill::media
