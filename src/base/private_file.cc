#include "base/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace waybill {
namespace {

Error cannot_use(const std::string& name, const std::string& why) {
  return invalid(name + ": " + why);
}

// Checks the file that was opened, not the path: the path could lead elsewhere a moment later.
Status check_file(int descriptor, const std::string& path, const std::string& name, std::size_t bytes_max) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) {
    return cannot_use(name, std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    return cannot_use(name, "is not a regular file");
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return cannot_use(name, "can be read by others; run: chmod 600 " + path);
  }
  if (static_cast<std::size_t>(status.st_size) > bytes_max) {
    return cannot_use(name, "is larger than " + std::to_string(bytes_max / 1024) + " KiB");
  }
  return {};
}

Result<std::string> read_all(int descriptor, const std::string& name, std::size_t bytes_max) {
  std::string text(bytes_max + 1, '\0');
  const ssize_t count = ::read(descriptor, text.data(), text.size());
  if (count < 0) {
    return cannot_use(name, std::strerror(errno));
  }
  text.resize(static_cast<std::size_t>(count));
  return text;
}

}  // namespace

Result<std::string> read_private_file(const std::string& path, const std::string& name,
                                      std::size_t bytes_max) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return cannot_use(name, std::string("cannot be opened: ") + std::strerror(errno));
  }
  const Status usable = check_file(descriptor, path, name, bytes_max);
  auto text = usable ? read_all(descriptor, name, bytes_max) : Result<std::string>(usable.error());
  ::close(descriptor);
  return text;
}

}  // namespace waybill
