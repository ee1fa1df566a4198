#include "cli/job/event_reader.h"

#include <utility>

namespace waybill::cli::job {

// True where the line ends an event.
bool EventReader::read_line(std::string_view line) {
  if (line.empty()) {
    return true;
  }
  const auto colon = line.find(':');
  const auto name = line.substr(0, colon);
  auto value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  value.remove_prefix(value.starts_with(' ') ? 1 : 0);
  if (name == "id") {
    event_.id = value;
  } else if (name == "event") {
    event_.name = value;
  } else if (name == "data") {
    event_.data.append(event_.data.empty() ? "" : "\n").append(value);
  }
  return false;
}

std::optional<FeedEvent> EventReader::next() {
  for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
    std::string line = text_.substr(0, end);
    text_.erase(0, end + 1);
    if (line.ends_with('\r')) {
      line.pop_back();
    }
    if (read_line(line)) {
      auto event = std::exchange(event_, {});
      if (!event.data.empty()) {
        return event;
      }
    }
  }
  return {};
}

}  // namespace waybill::cli::job
