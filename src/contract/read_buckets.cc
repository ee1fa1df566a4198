// The part of the reader that reads which buckets there are.
#include <algorithm>

#include "contract/byte_size.h"
#include "contract/reader_parts.h"

namespace waybill::contract {

namespace {

std::optional<int64_t> read_size(Section& section) {
  const Yaml* const value = section.take("size_max");
  if (value == nullptr) {
    return {};
  }
  const auto bytes = value->kind == Yaml::Kind::word ? parse_byte_size(value->word) : std::nullopt;
  if (!bytes || *bytes == 0) {
    section.error(value->place, section.what() + ": size_max is a size, not " + value->kind_text(),
                  "write it as 512KB, 25MB, 25MiB or 5GB");
    return {};
  }
  return bytes;
}

std::vector<std::string> read_types(Section& section) {
  std::vector<std::string> types;
  for (auto& name : section.names("types")) {
    const auto slash = name.text.find('/');
    const bool is_type = slash != std::string::npos && slash != 0 && slash + 1 != name.text.size() &&
                         name.text.find_first_of(" *;,") == std::string::npos;
    if (!is_type) {
      section.error(name.place, section.what() + ": \"" + name.text + "\" is no media type",
                    "write whole ones, as image/jpeg");
      continue;
    }
    std::ranges::transform(name.text, name.text.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    types.push_back(std::move(name.text));
  }
  return types;
}

std::optional<Bucket> read_bucket(const Yaml::Entry& entry, Problems& problems) {
  Section section(entry.value, "the bucket \"" + entry.key + "\"", problems);
  Bucket made;
  made.place = entry.place;
  auto name = TextTemplate::parse(entry.key);
  if (!name) {
    section.error(entry.place, section.what() + ": " + name.error().message,
                  "write it as in \"photos-{env}-temp\"");
    return {};
  }
  made.name = *std::move(name);
  made.bytes_max = read_size(section);
  made.types = read_types(section);
  made.expires_s = section.duration_s("expires");
  return made;
}

}  // namespace

std::vector<Bucket> read_buckets(const Yaml& yaml, Problems& problems) {
  std::vector<Bucket> buckets;
  for (const auto& entry : read_entries(yaml, "a contract: buckets", problems)) {
    if (auto bucket = read_bucket(entry, problems)) {
      buckets.push_back(*std::move(bucket));
    }
  }
  return buckets;
}

}  // namespace waybill::contract
