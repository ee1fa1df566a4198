#include "bucket/part_sizes.h"

#include <algorithm>
#include <charconv>

namespace waybill::bucket {
namespace {

uint64_t number_in(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

struct Run {
  uint64_t bytes = 0;
  int count = 1;
};

// Cuts the next run off; false where none is left.
bool next_run(std::string_view& sizes, Run& run) {
  if (sizes.empty()) {
    return false;
  }
  const auto text = sizes.substr(0, sizes.find(','));
  sizes.remove_prefix(std::min(text.size() + 1, sizes.size()));
  const auto star = text.find('*');
  run.bytes = number_in(text.substr(0, star));
  run.count = star == std::string_view::npos ? 1 : static_cast<int>(number_in(text.substr(star + 1)));
  return true;
}

}  // namespace

std::string part_sizes(std::span<const uint64_t> sizes) {
  std::string text;
  for (std::size_t i = 0; i < sizes.size();) {
    std::size_t end = i;
    while (end < sizes.size() && sizes[end] == sizes[i]) {
      ++end;
    }
    text += (i == 0 ? "" : ",") + std::to_string(sizes[i]);
    text += end - i > 1 ? "*" + std::to_string(end - i) : "";
    i = end;
  }
  return text;
}

std::optional<PartPlace> find_part(std::string_view sizes, int number) {
  const int part_count = count_parts(sizes);
  uint64_t offset = 0;
  int before = 0;
  for (Run run; number >= 1 && next_run(sizes, run);) {
    if (number <= before + run.count) {
      offset += run.bytes * static_cast<uint64_t>(number - before - 1);
      return PartPlace{{offset, run.bytes}, part_count};
    }
    offset += run.bytes * static_cast<uint64_t>(run.count);
    before += run.count;
  }
  return {};
}

int count_parts(std::string_view sizes) {
  int count = 0;
  for (Run run; next_run(sizes, run);) {
    count += run.count;
  }
  return count;
}

}  // namespace waybill::bucket
