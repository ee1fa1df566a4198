#include "asset/provider.h"

namespace waybill::asset {

bool may_succeed_later(const Error& error) {
  return error.kind == ErrorKind::unavailable;
}

}  // namespace waybill::asset
