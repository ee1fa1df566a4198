#pragma once

#include <cstdint>

#include "job/services.h"

namespace waybill::job {

inline constexpr uint32_t replay_count_max = 1000;

// Puts a record that was given up back to work; author.why says why. Its message leaves the dead letters in
// the same commit, where it is among the first ten thousand of them.
void replay(const Services& services, const Target& target, Answer<Changed> done);

struct ReplayManyRequest {
  Subject subject;
  store::Author author;
  uint32_t count_max = 100;  // up to replay_count_max
};

struct Replayed {
  uint32_t count = 0;    // records that are back at work
  uint32_t dropped = 0;  // messages deleted whose record is gone, or needs no replay
};

// The same for those in the dead-letter queue, each by itself, from the oldest message on.
void replay_many(const Services& services, ReplayManyRequest request, Answer<Replayed> done);

// Error unsupported where the contract knows no replay of such records.
Status check_replay(const Services& services, const Subject& subject);

}  // namespace waybill::job
