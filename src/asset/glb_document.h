#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asset/glb_format.h"
#include "base/json.h"
#include "base/result.h"

// The document of a binary glTF file, with every number in it doubted. Errors are of kind invalid.
namespace waybill::asset::glb {

// Of a file that breaks the rules of its format.
Error damaged(const std::string& why);

// Elements of one accessor, somewhere in the file; all of them lie inside it.
struct Elements {
  const char* data = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
  Component component = real;
  bool is_normalized = false;

  // A part of an element as a number; whole numbers that are normalized become 0 to 1.
  float number(std::size_t index, std::size_t part) const;
  uint32_t whole(std::size_t index, std::size_t part) const;
};

// Thread safety: none. Views live as long as the document and the file.
class Document {
 public:
  // Checks the frame of the file and parses its JSON. `file` must outlive the document.
  Status read(std::string_view file);

  const json::Value& root() const { return root_; }

  // Element `index` of a list at the top: ("meshes", 0). It is an object.
  Result<json::Value> element(std::string_view list, std::size_t index) const;

  // All elements of a list at the top, at most `count_max`; all are objects.
  Result<std::vector<json::Value>> all(std::string_view list, std::size_t count_max) const;

  // How many elements a list at the top has; 0 where there is none.
  std::size_t count(std::string_view list) const;

  // The elements of accessor `index`, which must be of this type ("VEC3"), at most `count_max`.
  Result<Elements> elements(std::size_t index, std::string_view type, std::size_t count_max) const;

  // The bytes of a view.
  Result<std::string_view> view(std::size_t index) const;

 private:
  json::Parser parser_;
  json::Value root_;
  std::string_view binary_;
};

// A member that is a whole number of at least 0; nullopt where there is none, an Error where it is anything
// else.
Result<std::optional<std::size_t>> whole_member(const json::Value& object, std::string_view name);

// The same where it may not be missing.
Result<std::size_t> needed_member(const json::Value& object, std::string_view name);

}  // namespace waybill::asset::glb
