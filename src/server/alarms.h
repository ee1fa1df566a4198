#pragma once

#include <memory>
#include <string>

#include "alarm/alarms.h"
#include "alarm/webhook.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "server/config.h"
#include "store/store.h"

namespace waybill::server {

// How alarms are posted, as the configuration says; `url` is empty where they are not. Reads the secret's
// file.
Result<alarm::Webhook::Options> webhook_options(const Config& config);

// Begins to watch the queues of the store. Null where it has none.
Result<std::unique_ptr<alarm::Alarms>> start_alarms(store::Store& store, const Config& config,
                                                    alarm::Webhook::Options webhook,
                                                    alarm::Alarms::Options options);

}  // namespace waybill::server
