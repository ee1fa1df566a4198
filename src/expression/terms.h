#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "expression/small_vector.h"
#include "item/value.h"

namespace waybill::expression {

// The service's limits on expressions.
inline constexpr std::size_t expression_bytes_max = 4096;
inline constexpr std::size_t operators_max = 300;
inline constexpr std::size_t in_operands_max = 100;
inline constexpr std::size_t path_parts_max = 32;

// One step of a document path: a member's name, or an index into a list.
struct PathPart {
  static constexpr uint32_t no_name = UINT32_MAX;

  uint32_t name_at = no_name;  // in the terms' bytes
  uint32_t size_or_index = 0;  // the name's length, or the index

  bool is_index() const { return name_at == no_name; }
};

// A document path `a.b[3]`, by its place in Terms.
struct PathId {
  uint32_t first = 0;
  uint32_t count = 0;
};

// A literal value, by its place in Terms.
struct LiteralId {
  uint32_t at = 0;
};

// The paths and literal values of one expression, kept in two buffers. Self-contained: moving or copying
// the terms keeps every id valid, and nothing points into the request.
class Terms {
 public:
  // A path grows part by part: begin_path(), then add_name and add_index.
  PathId begin_path() const { return {static_cast<uint32_t>(parts_.size()), 0}; }
  void add_name(PathId& path, std::string_view name);
  void add_index(PathId& path, uint32_t index);

  LiteralId add_literal(item::ValueView value);

  std::string_view name_of(const PathPart& part) const {
    return {bytes_.data() + part.name_at, part.size_or_index};
  }
  const PathPart& part(PathId path, std::size_t i) const { return parts_[path.first + i]; }
  std::string_view top_level(PathId path) const { return name_of(part(path, 0)); }

  // Valid until a term is added.
  item::ValueView literal(LiteralId id) const { return item::ValueView(bytes_.data() + id.at); }

  // The value at the end of `path`; nullopt where there is none.
  std::optional<item::ValueView> resolve(PathId path, item::ItemView item) const;

  bool same_path(PathId a, PathId b) const;

  // The order in which paths with a common beginning stand together; names before indexes.
  int compare_parts(const PathPart& a, const PathPart& b) const;

  // "[a, b, [3]]", as the service prints paths.
  std::string printed(PathId path) const;

 private:
  SmallVector<PathPart, 4> parts_;
  std::string bytes_;
};

}  // namespace waybill::expression
