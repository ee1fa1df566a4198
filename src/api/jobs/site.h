#pragma once

#include "http/message.h"

namespace waybill::api::jobs {

// Whether a request may be taken from somebody who shows no key: it names this machine and, where a page has
// sent it, is one of the server's own pages. Others could be of any site that somebody here looks at: a page
// sends requests wherever it likes, and its own name may lead here as well.
bool is_from_here(const http::Request& request);

}  // namespace waybill::api::jobs
