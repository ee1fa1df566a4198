#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "item/value.h"

// Small readers and writers for rows of system tables.
namespace waybill::bucket {

using Texts = std::map<std::string, std::string, std::less<>>;

void add_text(item::Item& row, std::string_view name, std::string_view value);
void add_whole(item::Item& row, std::string_view name, int64_t value);
void add_list(item::Item& row, std::string_view name, const std::vector<std::string>& values);
// Nothing is added where there are none.
void add_texts(item::Item& row, std::string_view name, const Texts& texts);

// Empty, or nothing, where the row has no such attribute of that type.
std::string text_in(item::ItemView row, std::string_view name);
std::optional<int64_t> whole_in(item::ItemView row, std::string_view name);
std::vector<std::string> list_in(item::ItemView row, std::string_view name);
Texts texts_in(item::ItemView row, std::string_view name);

}  // namespace waybill::bucket
