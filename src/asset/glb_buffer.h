#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "asset/glb_format.h"
#include "asset/vector.h"
#include "base/json.h"

namespace waybill::asset::glb {

// The binary chunk in the making, with the views and accessors that tell what is in it.
//
// Thread safety: none.
class Buffer {
 public:
  // How an accessor is described.
  struct Description {
    std::string_view type;  // "VEC3"
    Component component = real;
    std::size_t count = 0;
    int64_t target = 0;                 // 0 for none
    std::string_view bounds_json = {};  // members "min" and "max", with a comma before them; or nothing
  };

  // The number of the new view.
  int64_t add_view(std::string_view bytes, int64_t target);

  // The number of the new accessor, over a view of its own.
  int64_t add(std::string_view bytes, const Description& description);

  template <typename T>
  int64_t add_list(std::span<const T> values, Description description) {
    description.count = values.size();
    return add({reinterpret_cast<const char*>(values.data()), values.size_bytes()}, description);
  }

  const std::string& bytes() const { return bytes_; }

  // Members "buffers", "bufferViews" and "accessors".
  void write(json::Writer& out) const;

 private:
  std::string bytes_;
  std::string views_;      // elements of a JSON array
  std::string accessors_;  // the same
  int64_t view_count_ = 0;
  int64_t accessor_count_ = 0;
};

}  // namespace waybill::asset::glb
