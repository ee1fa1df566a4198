#pragma once

namespace waybill::media {

// The life of a child: bounds itself, loads libvips, then answers one line of JSON for each line that it
// reads (message.h) until there are no more. Whatever else the process prints goes to standard error until it
// is ready, and nowhere then. Returns what main() is to return.
int child_main(int requests = 0, int answers = 1);

}  // namespace waybill::media
