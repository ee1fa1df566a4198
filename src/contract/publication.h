#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/model.h"

namespace waybill::contract {

// "webhook", "kafka" …: as the file has it.
std::string_view word_of(Publication::Kind kind);

// The texts of a publication that say where it leads, with the keys under which the file has them.
struct PublicationText {
  std::string_view key;
  const TextTemplate* text = nullptr;
};
std::vector<PublicationText> texts_of(const Publication& publication);

// Whether both lead to the same place, whatever they sign with.
bool same_place(const Publication& a, const Publication& b);

// A text as the file has it.
std::string written(const TextTemplate& text);

}  // namespace waybill::contract
