#include "transfer/store_calls.h"

#include <future>
#include <utility>

namespace waybill::transfer {

namespace {

template <typename Call>
Status wait_for(Call call) {
  std::promise<Status> done;
  auto outcome = done.get_future();
  call([&done](Status status) { done.set_value(std::move(status)); });
  return outcome.get();
}

}  // namespace

Status put_note(store::Store& store, table::Note note) {
  return wait_for([&](store::NoteDone done) { store.put_note(std::move(note), std::move(done)); });
}

Status end_import(store::Store& store, std::string table, store::ImportEnd end, table::Note note) {
  return wait_for([&](store::NoteDone done) {
    store.end_import(std::move(table), end, std::move(note), std::move(done));
  });
}

}  // namespace waybill::transfer
