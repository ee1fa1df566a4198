#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "contract/reader.h"
#include "rules/deployed.h"

namespace waybill::api::jobs {

inline rules::DeployedPtr deploy_text(const std::string& text) {
  contract::Problems problems;
  auto read = contract::read_contract(text, problems);
  EXPECT_TRUE(read && problems.empty()) << (problems.empty() ? "" : problems.front().what);
  return *rules::deploy(*std::move(read), text);
}

inline rules::DeployedPtr deploy_file(const std::string& name) {
  std::ifstream file(std::string(WAYBILL_CONTRACTS) + "/" + name + ".yaml");
  return deploy_text({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

// Has a field of each type.
inline rules::DeployedPtr deploy_of_all_types() {
  return deploy_text(R"(
contract: types
version: 1
table: {name: types, key: [PK, SK]}
records:
  thing:
    key: {PK: "A#{a}", SK: "B#{b}"}
    fields:
      a: string
      b: int
      n?: number
      bytes?: binary
      words?: {set_of: string}
      numbers?: {set_of: int}
      blobs?: {set_of: binary}
      list?: {list_of: {fields: {data: binary}}}
      map?:
        fields:
          inner?:
            fields:
              deep?: string
          bytes?: binary
      free?: map
)");
}

}  // namespace waybill::api::jobs
