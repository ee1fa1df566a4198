#include "load/item_states.h"

#include <filesystem>
#include <fstream>

namespace waybill::load {
namespace {

constexpr uint8_t taken = 0x80;

}  // namespace

ItemStates::ItemStates(const Population& population) : population_(population), bytes_(population.items) {
  for (uint64_t id = 0; id < population.items; ++id) {
    bytes_[id] = static_cast<uint8_t>(first_status(id));
  }
}

Status ItemStates::read(const std::string& path) {
  known_ = true;
  if (!std::filesystem::exists(path)) {
    return {};
  }
  std::ifstream file(path, std::ios::binary);
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() != bytes_.size()) {
    return invalid(path + " is of another table: it knows " + std::to_string(bytes.size()) + " items, not " +
                   std::to_string(bytes_.size()));
  }
  bytes_ = std::move(bytes);
  return {};
}

Status ItemStates::write(const std::string& path) const {
  auto bytes = bytes_;
  for (auto& byte : bytes) {
    byte = (byte & taken) != 0 ? static_cast<uint8_t>(JobStatus::unknown) : byte;
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  return file ? Status() : invalid("cannot write " + path);
}

JobStatus ItemStates::status(uint64_t id) const {
  return id < bytes_.size() ? static_cast<JobStatus>(bytes_[id] & ~taken) : first_status(id);
}

void ItemStates::set(uint64_t id, JobStatus status) {
  if (id < bytes_.size()) {
    bytes_[id] = static_cast<uint8_t>((bytes_[id] & taken) | static_cast<uint8_t>(status));
  }
}

bool ItemStates::take(uint64_t id) {
  if (!is_stored(static_cast<JobStatus>(bytes_[id]))) {  // also where it is taken: that is a high number
    return false;
  }
  bytes_[id] |= taken;
  return true;
}

void ItemStates::release(uint64_t id) {
  if (id < bytes_.size()) {
    bytes_[id] &= static_cast<uint8_t>(~taken);
  }
}

std::vector<uint64_t> ItemStates::newest_of(uint64_t user, std::size_t count_max) const {
  std::vector<uint64_t> ids;
  const auto& [items, users] = population_;
  auto left = user < items ? (items - 1 - user) / users + 1 : 0;
  for (; left > 0 && ids.size() < count_max; --left) {
    const auto id = user + (left - 1) * users;
    if (status(id) != JobStatus::absent) {
      ids.push_back(id);
    }
  }
  return ids;
}

}  // namespace waybill::load
