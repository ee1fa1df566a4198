#pragma once

#include <string>
#include <string_view>
#include <vector>

// JSON taken apart with every value left as it was written: numbers keep digits that no double has.
namespace waybill::cli::job {

// Whether a text is JSON, however many digits its numbers have.
bool is_json(std::string_view text);

struct Member {
  std::string name;
  std::string_view value;
};
using Members = std::vector<Member>;

// The members of an object. `text` is valid JSON and outlives the result; of anything else there are none.
Members members_of(std::string_view text);
std::vector<std::string_view> elements_of(std::string_view text);

// "" where there is none of that name.
std::string_view find(const Members& members, std::string_view name);

// A string without its quotes and escapes; any other value as it was written.
std::string plain_text(std::string_view value);

// The same of a member; "" where there is none, or null.
std::string text_of(const Members& members, std::string_view name);

}  // namespace waybill::cli::job
