#include "api/jobs/operations.h"

namespace waybill::api::jobs {

std::span<const Operation* const> operations() {
  static const Operation* const all[] = {
      &approve,
      &batch,
      &cancel,
      &changes_of_record,
      &changes_of_records,
      &claim,
      &counts,
      &create,
      &describe,
      &fail,
      &finish,
      &get,
      &heartbeat,
      &history,
      &list,
      &list_contracts,
      &pause,
      &progress,
      &reject,
      &release,
      &remove,
      &replay,
      &replay_many,
      &show_contract,
      &step,
      &update,
  };
  return all;
}

bool applies(const Operation& operation, const contract::Record& record) {
  const auto& work = record.work;
  switch (operation.needs) {
    case Needs::nothing:
      return true;
    case Needs::states:
      return record.status.has_value();
    case Needs::work:
      return work && work->claim;
    case Needs::dead_letters:
      return work && work->replay && work->queue.dead_letters;
    case Needs::cancel:
      return work && work->cancel;
    case Needs::replay:
      return work && work->replay;
    case Needs::steps:
      return work && work->steps;
    case Needs::review:
      return work && work->steps && work->steps->pause;
  }
  return false;
}

}  // namespace waybill::api::jobs
