#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "http/sign_request.h"
#include "http/signature.h"
#include "server/config.h"
#include "worker/crew.h"

namespace waybill::server {

// The key by which the server knows its own workers. Where keys are asked for, one is made and added to
// `signatures`: by chance, in memory alone, and gone with the process.
http::SigningKey make_worker_key(http::SignatureOptions& signatures, Entropy& entropy);

struct WorkerTools {
  const Clock* clock = nullptr;  // all of them outlive the workers
  Entropy* entropy = nullptr;
  client::OwnObjects* objects = nullptr;
};

// Begins to work, through the server's own listener, which is there; objects are read without it. Null where
// no workers are to run.
Result<std::unique_ptr<worker::Crew>> start_workers(const Config& config, uint16_t port,
                                                    const http::SigningKey& key, const WorkerTools& tools);

}  // namespace waybill::server
