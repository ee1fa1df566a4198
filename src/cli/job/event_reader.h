#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace waybill::cli::job {

struct FeedEvent {
  std::string id;    // "": it has none of its own
  std::string name;  // "create", "finish", "reset" …
  std::string data;
};

// Reads server-sent events from bytes as they come. Comments are left out.
class EventReader {
 public:
  void add(std::string_view bytes) { text_ += bytes; }

  // The next event that is whole.
  std::optional<FeedEvent> next();

 private:
  bool read_line(std::string_view line);

  std::string text_;
  FeedEvent event_;
};

}  // namespace waybill::cli::job
