#include "engine/encryption/file_header.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/check.h"
#include "engine/encryption/key_wrap.h"

namespace waybill::engine::encryption {
namespace {

constexpr std::string_view magic = "WAYBILL sealed 1";
constexpr std::size_t id_at = magic.size();
constexpr std::size_t nonce_at = id_at + sizeof(KeyId::bytes);
constexpr std::size_t key_at = nonce_at + sizeof(WrappedKey::nonce);
constexpr std::size_t tag_at = key_at + sizeof(WrappedKey::key);

bool is_zero(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

std::string_view slot_of(std::string_view header, std::size_t index) {
  return header.substr(index * slot_bytes, slot_bytes);
}

bool is_used(std::string_view slot) {
  return slot.starts_with(magic);
}

KeyId id_of(std::string_view slot) {
  KeyId id;
  std::memcpy(id.bytes.data(), slot.data() + id_at, id.bytes.size());
  return id;
}

std::string make_slot(const Secret& file_key, const MasterKey& master, Entropy& entropy) {
  std::string slot(magic);
  slot.append(reinterpret_cast<const char*>(master.id.bytes.data()), master.id.bytes.size());
  const WrappedKey wrapped = wrap(file_key, master.secret, slot, entropy);
  const auto append = [&](const auto& part) {
    slot.append(reinterpret_cast<const char*>(part.data()), part.size());
  };
  append(wrapped.nonce);
  append(wrapped.key);
  append(wrapped.tag);
  slot.resize(slot_bytes);
  return slot;
}

bool open_slot(std::string_view slot, const MasterKey& master, Secret& file_key) {
  WrappedKey wrapped;
  std::memcpy(wrapped.nonce.data(), slot.data() + nonce_at, wrapped.nonce.size());
  std::memcpy(wrapped.key.data(), slot.data() + key_at, wrapped.key.size());
  std::memcpy(wrapped.tag.data(), slot.data() + tag_at, wrapped.tag.size());
  return unwrap(wrapped, master.secret, slot.substr(0, nonce_at), file_key);
}

struct OpenedSlot {
  std::size_t index;
  bool current;  // under the current key
  Secret file_key;
};

// The slot to read by; one under the current key where there is one.
Result<OpenedSlot> find_slot(std::string_view header, const KeyRing& keys) {
  std::optional<OpenedSlot> found;
  bool damaged = false;
  std::string ids;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto slot = slot_of(header, i);
    if (!is_used(slot)) {
      continue;
    }
    ids += (ids.empty() ? "" : ", ") + id_of(slot).text();
    const MasterKey* master = keys.find(id_of(slot));
    if (master == nullptr) {
      continue;
    }
    Secret file_key;
    if (!open_slot(slot, *master, file_key)) {
      damaged = true;
      continue;
    }
    const bool current = master == &keys.current();
    if (!found || current) {
      found = OpenedSlot{i, current, std::move(file_key)};
    }
  }
  if (found) {
    return *std::move(found);
  }
  if (damaged) {
    return Error{ErrorKind::corruption, "its encryption header is damaged", {}};
  }
  return invalid("it is encrypted with key " + ids + ", which is not among the given keys");
}

}  // namespace

Content content_of(std::string_view start) {
  if (start.size() < header_bytes) {
    const bool cut_short = magic.starts_with(start.substr(0, magic.size()));
    return cut_short || is_zero(start) ? Content::empty : Content::plain;
  }
  if (is_used(slot_of(start, 0)) || is_used(slot_of(start, 1))) {
    return Content::sealed;
  }
  return is_zero(start.substr(0, header_bytes)) ? Content::empty : Content::plain;
}

std::vector<KeyId> key_ids_of(std::string_view header) {
  std::vector<KeyId> ids;
  for (std::size_t i = 0; i < 2; ++i) {
    if (is_used(slot_of(header, i))) {
      ids.push_back(id_of(slot_of(header, i)));
    }
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

NewHeader make_header(const KeyRing& keys, Entropy& entropy) {
  NewHeader made;
  entropy.fill(made.file_key.data(), key_bytes);
  made.bytes = make_slot(made.file_key, keys.current(), entropy);
  made.bytes.resize(header_bytes);
  return made;
}

Result<Secret> open_header(std::string_view header, const KeyRing& keys) {
  WAYBILL_TRY_ASSIGN(auto slot, find_slot(header, keys));
  return std::move(slot.file_key);
}

Result<std::vector<SlotWrite>> rewrap(std::string_view header, const KeyRing& keys, Entropy& entropy) {
  WAYBILL_TRY_ASSIGN(const auto slot, find_slot(header, keys));
  const std::size_t other = 1 - slot.index;
  std::vector<SlotWrite> writes;
  if (slot.current) {
    if (!is_zero(slot_of(header, other))) {
      writes.push_back({other * slot_bytes, std::string(slot_bytes, '\0')});
    }
    return writes;
  }
  writes.push_back({other * slot_bytes, make_slot(slot.file_key, keys.current(), entropy)});
  writes.push_back({slot.index * slot_bytes, std::string(slot_bytes, '\0')});
  return writes;
}

}  // namespace waybill::engine::encryption
