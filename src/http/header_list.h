#pragma once

#include <string_view>

#include "http/message.h"

// Header values that are lists of words: "gzip;q=0.5, br".
namespace waybill::http {

std::string_view trim_white_space(std::string_view text);

// True where the two are equal without regard to ASCII case.
bool equal_ignoring_case(std::string_view a, std::string_view b);

// True where the list has the word.
bool list_has(std::string_view list, std::string_view lower_case_word);

// True where an Accept-Encoding list names the coding and does not give it a weight of 0.
bool accepts_coding(std::string_view list, std::string_view lower_case_coding);

}  // namespace waybill::http
