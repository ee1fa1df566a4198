#include "engine/encryption/opening.h"

#include <algorithm>
#include <set>

#include "engine/encryption/key_source.h"

namespace waybill::engine::encryption {
namespace {

std::string joined(const std::vector<KeyId>& ids, const char* between) {
  std::string text;
  for (const auto& id : ids) {
    text += (text.empty() ? "" : between) + id.text();
  }
  return text;
}

std::string counted(const FileCount& count) {
  return std::to_string(count.files) + (count.files == 1 ? " file, " : " files, ") +
         std::to_string((count.bytes + (1U << 20) - 1) >> 20) + " MiB";
}

// All keys that the store is known to need, for a message.
std::string needed_ids(const Evidence& evidence) {
  std::set<KeyId> ids;
  if (evidence.marker) {
    ids.insert(evidence.marker->key);
  }
  for (const auto& [keys, count] : evidence.files.sealed) {
    ids.insert(keys.begin(), keys.end());
  }
  return joined({ids.begin(), ids.end()}, ", ");
}

Error refused(const Evidence& evidence, const std::string& why) {
  return invalid("the store in " + evidence.data_dir + " " + why);
}

Status check_marker(const Evidence& evidence, const KeyRing& keys) {
  if (!evidence.marker) {
    return {};
  }
  const auto* master = keys.find(evidence.marker->key);
  if (master == nullptr) {
    return refused(evidence, "is encrypted with key " + evidence.marker->key.text() +
                                 ", which is not among the given keys (" + keys.ids() +
                                 "). Add it to the key file; without it the data cannot be read");
  }
  if (!evidence.marker->is_of(*master)) {
    return Error{ErrorKind::corruption,
                 evidence.data_dir +
                     "/encryption was changed after it was written. It is made anew from the "
                     "store's files where it is missing: move it away and start again",
                 {}};
  }
  return {};
}

}  // namespace

Status check_keys(const Survey& files, const KeyRing& keys) {
  for (const auto& [ids, count] : files.sealed) {
    if (std::none_of(ids.begin(), ids.end(), [&](const KeyId& id) { return keys.find(id) != nullptr; })) {
      return invalid("key " + joined(ids, " or ") + " is still needed (" + counted(count) +
                     "), but not among the given keys (" + keys.ids() + ")");
    }
  }
  return {};
}

Result<Mode> decide_opening(const Evidence& evidence, const KeyRing* keys, bool encrypt_existing) {
  const bool has_sealed = !evidence.files.sealed.empty();
  const bool has_plain = evidence.files.plain.files > 0;
  if (keys == nullptr) {
    if (evidence.marker || has_sealed) {
      return refused(evidence, "is encrypted with key " + needed_ids(evidence) +
                                   ". Give it with --encryption-key-file FILE, or in " + key_variable);
    }
    return Mode::plain;
  }
  WAYBILL_TRY(check_marker(evidence, *keys));
  if (auto known = check_keys(evidence.files, *keys); !known) {
    return refused(evidence, "cannot be read: " + known.error().message + ". Add it to the key file");
  }
  if (evidence.marker) {
    return evidence.marker->converting ? Mode::converting : Mode::encrypted;
  }
  if (has_plain && !has_sealed && !encrypt_existing) {
    return refused(evidence,
                   "is not encrypted, and a key was given. Start with --encrypt-existing to encrypt it while "
                   "it serves, or without the key to leave it as it is");
  }
  // Without a note and with sealed files: a start that was cut short before it could write one.
  return has_plain ? Mode::converting : Mode::encrypted;
}

std::string describe(const Evidence& evidence) {
  const auto& files = evidence.files;
  std::string text = evidence.data_dir + ": ";
  if (!evidence.marker && files.sealed.empty()) {
    return text + "not encrypted (" + counted(files.plain) + ")\n";
  }
  const bool unfinished = files.plain.files > 0;
  text += unfinished ? "being encrypted; not yet: " + counted(files.plain) + "\n" : "encrypted\n";
  for (const auto& [ids, count] : files.sealed) {
    text += "key " + joined(ids, " or ") + ": " + counted(count) + "\n";
  }
  if (files.sealed.size() > 1) {
    text += "A change of keys is under way: keep every key named here until one is left.\n";
  }
  return text;
}

}  // namespace waybill::engine::encryption
