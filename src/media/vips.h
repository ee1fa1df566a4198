#pragma once

#include <vips/vips.h>

#include <string>
#include <string_view>

#include "base/result.h"

// libvips, loaded when it is asked for. Linked in the usual way it would bring a hundred libraries, 28 ms of
// start and 21 MB of memory into every run of the program, and all decoders into the server's own process.
namespace waybill::media {

// The functions that are used, by their names without "vips_".
// clang-format off
#define WAYBILL_VIPS_FUNCTIONS(use) \
  use(area_unref) use(array_double_new) use(autorot) use(avg) use(block_untrusted_set) \
  use(cache_set_max) use(cache_set_max_files) use(cache_set_max_mem) use(colourspace) \
  use(concurrency_set) use(error_buffer) use(error_clear) use(extract_area) use(extract_band) \
  use(find_trim) use(flatten) use(getpoint) use(gifload_buffer) use(heifload_buffer) \
  use(icc_transform) use(image_copy_memory) use(image_get_blob) use(image_get_fields) \
  use(image_get_orientation) use(image_get_string) use(image_get_typeof) use(image_hasalpha) \
  use(image_remove) use(image_write_to_memory) use(init) use(jpegload_buffer) use(jpegsave_buffer) \
  use(linear) use(operation_block_set) use(pngload_buffer) use(pngsave_buffer) use(sharpen) \
  use(smartcrop) use(subsample) use(thumbnail_image) use(type_find) use(webpload_buffer) \
  use(webpsave_buffer)
// clang-format on

struct Vips {
#define WAYBILL_VIPS_MEMBER(name) decltype(&::vips_##name) name = nullptr;
  WAYBILL_VIPS_FUNCTIONS(WAYBILL_VIPS_MEMBER)
#undef WAYBILL_VIPS_MEMBER
  decltype(&::g_object_ref) object_ref = nullptr;
  decltype(&::g_object_unref) object_unref = nullptr;
  decltype(&::g_free) free = nullptr;
  decltype(&::g_strfreev) free_texts = nullptr;
  decltype(&::g_log_set_default_handler) log_set_default_handler = nullptr;
};

// Loads and sets up libvips for this process, once: one thread, no cache, no warnings, and of all its loaders
// those of the five formats. Error unavailable, with what to install, where it cannot be had.
//
// Thread safety: call it before there are other threads.
Status load_vips();

// After load_vips() has succeeded.
const Vips& vips();

// What libvips has noted of its last failure, after `what`: "the image is broken: …". Error limit_exceeded
// where memory ran out, else invalid. Forgets it.
Error vips_failure(std::string_view what);

}  // namespace waybill::media
