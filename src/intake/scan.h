#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "intake/server_client.h"
#include "intake/session.h"
#include "item/value.h"

namespace waybill::intake {

// Hands over every item of the target's table, from several threads at once: `on_item` is called with the
// number of the thread. Ends with the first error.
using OnItem = std::function<void(unsigned thread, item::ItemView item)>;
Status scan_target(const Session& session, const OnItem& on_item);

// The item with that key as it is now; nothing where there is none.
class TargetReader {
 public:
  static Result<TargetReader> open(const Session& session);
  Result<std::optional<item::Item>> get(item::ItemView key);

 private:
  TargetReader(const Session& session, std::unique_ptr<ServerClient> client)
      : session_(&session), client_(std::move(client)) {}

  const Session* session_;
  std::unique_ptr<ServerClient> client_;
};

}  // namespace waybill::intake
