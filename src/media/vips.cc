#include "media/vips.h"

#include <dlfcn.h>

#include <array>

#include "base/check.h"

namespace waybill::media {

namespace {

constexpr const char* library_name = "libvips.so.42";

struct Loader {
  const char* class_name;
  const char* operation;
};

constexpr std::array<Loader, 5> loaders = {{{"VipsForeignLoadJpeg", "jpegload_buffer"},
                                            {"VipsForeignLoadPng", "pngload_buffer"},
                                            {"VipsForeignLoadWebp", "webpload_buffer"},
                                            {"VipsForeignLoadNsgif", "gifload_buffer"},
                                            {"VipsForeignLoadHeif", "heifload_buffer"}}};

Vips& table() {
  static Vips functions;
  return functions;
}

Error cannot_load(const std::string& why) {
  return {ErrorKind::unavailable,
          "images cannot be processed: " + why + "; install Debian's package libvips42 (version 8.14)",
          {}};
}

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

// The name of the first function that is missing, or null.
const char* fill(void* library, Vips& functions) {
#define WAYBILL_VIPS_FIND(name)                        \
  if (!find(library, "vips_" #name, functions.name)) { \
    return "vips_" #name;                              \
  }
  WAYBILL_VIPS_FUNCTIONS(WAYBILL_VIPS_FIND)
#undef WAYBILL_VIPS_FIND
  // Found among the libraries that libvips itself uses.
  const bool found = find(library, "g_object_ref", functions.object_ref) &&
                     find(library, "g_object_unref", functions.object_unref) &&
                     find(library, "g_free", functions.free) &&
                     find(library, "g_strfreev", functions.free_texts) &&
                     find(library, "g_log_set_default_handler", functions.log_set_default_handler);
  return found ? nullptr : "a function of GLib";
}

void ignore_log(const gchar* /*domain*/, GLogLevelFlags /*level*/, const gchar* /*message*/,
                gpointer /*data*/) {}

// What is blocked cannot be reached by any of libvips' own guesses either.
Status allow_five_loaders(const Vips& functions) {
  functions.block_untrusted_set(TRUE);
  functions.operation_block_set("VipsForeignLoad", TRUE);
  for (const Loader& loader : loaders) {
    if (functions.type_find("VipsForeignLoad", loader.operation) == 0) {
      return cannot_load(std::string("libvips has no ") + loader.operation);
    }
    functions.operation_block_set(loader.class_name, FALSE);
  }
  return {};
}

// One line of printable characters, with an end: some of it comes out of the file.
std::string tidy(std::string_view text) {
  constexpr std::size_t bytes_max = 300;
  std::string line;
  for (const char byte : text.substr(0, bytes_max)) {
    if (byte == '\n') {
      line += "; ";
    } else {
      line += byte >= ' ' && byte <= '~' ? byte : '?';
    }
  }
  while (line.ends_with("; ")) {
    line.resize(line.size() - 2);
  }
  return line;
}

}  // namespace

Status load_vips() {
  static bool loaded = false;
  if (loaded) {
    return {};
  }
  void* library = ::dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return cannot_load(::dlerror());
  }
  Vips& functions = table();
  if (const char* missing = fill(library, functions); missing != nullptr) {
    return cannot_load(std::string(library_name) + " has no " + missing);
  }
  functions.log_set_default_handler(ignore_log, nullptr);
  if (functions.init("waybill") != 0) {
    return cannot_load(tidy(functions.error_buffer()));
  }
  functions.concurrency_set(1);
  functions.cache_set_max(0);
  functions.cache_set_max_mem(0);
  functions.cache_set_max_files(0);
  WAYBILL_TRY(allow_five_loaders(functions));
  loaded = true;
  return {};
}

const Vips& vips() {
  WAYBILL_CHECK(table().error_buffer != nullptr);  // it was loaded
  return table();
}

Error vips_failure(std::string_view what) {
  const std::string why = tidy(vips().error_buffer());
  vips().error_clear();
  if (why.find("out of memory") != std::string::npos) {
    return {ErrorKind::limit_exceeded, "the image needs more memory than a task may take", why};
  }
  return invalid(std::string(what) + (why.empty() ? "" : ": " + why));
}

}  // namespace waybill::media
