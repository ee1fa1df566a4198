#include "rules/adoption_book.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/json.h"
#include "rules/wait_for.h"

namespace waybill::rules {

namespace {

constexpr std::string_view note_prefix = "adoption/";

std::string name_of(const std::string& contract) {
  return std::string(note_prefix) + contract;
}

table::Note note_of(const Adoption& adoption) {
  table::Note note;
  note.name = name_of(adoption.contract);
  std::string place;
  append_base64(place, adoption.place);
  json::Writer out(note.text);
  out.begin_object().key("begun").integer(adoption.begun_ms).key("place").string(place);
  out.key("seen").integer(adoption.seen).key("changed").integer(adoption.changed);
  out.key("unfit").integer(adoption.unfit).key("complaint").string(adoption.complaint);
  out.key("done").boolean(adoption.is_done).end_object();
  return note;
}

int64_t number_in(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value ? value->integer().value_or(0) : 0;
}

std::string text_in(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->is_string() ? std::string(value->string()) : std::string();
}

Result<Adoption> adoption_of(const table::Note& note) {
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto value, parser.parse_copy(note.text));
  Adoption adoption;
  adoption.contract = note.name.substr(note_prefix.size());
  adoption.begun_ms = number_in(value, "begun");
  adoption.place = decode_base64(text_in(value, "place")).value_or("");
  adoption.seen = number_in(value, "seen");
  adoption.changed = number_in(value, "changed");
  adoption.unfit = number_in(value, "unfit");
  adoption.complaint = text_in(value, "complaint");
  const auto done = value.find("done");
  adoption.is_done = done && done->boolean();
  return adoption;
}

}  // namespace

Status AdoptionBook::read() {
  WAYBILL_TRY_ASSIGN(const auto notes, store_.notes(note_prefix));
  const std::lock_guard lock(mutex_);
  for (const auto& note : notes) {
    WAYBILL_TRY_ASSIGN(auto adoption, adoption_of(note));
    adoptions_.insert_or_assign(adoption.contract, std::move(adoption));
  }
  return {};
}

Status AdoptionBook::write(const Adoption& adoption) {
  WAYBILL_TRY(wait_for<void>([&](auto done) { store_.put_note(note_of(adoption), std::move(done)); }));
  const std::lock_guard lock(mutex_);
  adoptions_.insert_or_assign(adoption.contract, adoption);
  return {};
}

Status AdoptionBook::begin(const std::string& contract, int64_t now_ms) {
  const std::lock_guard writing(writing_);
  const auto before = find(contract);
  Adoption adoption;
  adoption.contract = contract;
  adoption.begun_ms = std::max(now_ms, before ? before->begun_ms + 1 : 0);
  return write(adoption);
}

Status AdoptionBook::forget(const std::string& contract) {
  const std::lock_guard writing(writing_);
  if (!find(contract)) {
    return {};
  }
  WAYBILL_TRY(wait_for<void>([&](auto done) { store_.forget_note(name_of(contract), std::move(done)); }));
  const std::lock_guard lock(mutex_);
  adoptions_.erase(contract);
  return {};
}

Status AdoptionBook::keep(const Adoption& adoption, Where where) {
  const std::lock_guard writing(writing_);
  const auto present = find(adoption.contract);
  if (!present || present->begun_ms != adoption.begun_ms) {
    return {};
  }
  if (where == Where::disk) {
    return write(adoption);
  }
  const std::lock_guard lock(mutex_);
  adoptions_.insert_or_assign(adoption.contract, adoption);
  return {};
}

std::optional<Adoption> AdoptionBook::find(std::string_view contract) const {
  const std::lock_guard lock(mutex_);
  const auto found = adoptions_.find(contract);
  return found == adoptions_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Adoption> AdoptionBook::next() const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(adoptions_, [](const auto& entry) { return !entry.second.is_done; });
  return found == adoptions_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace waybill::rules
