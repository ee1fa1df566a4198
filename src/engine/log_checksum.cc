#include "engine/log_checksum.h"

#include "base/crc32c.h"

namespace waybill::engine {

bool has_checksum_instruction() {
  return has_crc32c_instruction();
}

}  // namespace waybill::engine

namespace rocksdb::crc32c {

uint32_t Extend(uint32_t crc, const char* bytes, std::size_t count) {
  return waybill::crc32c(crc, {bytes, count});
}

}  // namespace rocksdb::crc32c
