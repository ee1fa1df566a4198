#pragma once

#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace waybill {

// An open file, folder or socket, closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, none)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, none);
    }
    return *this;
  }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close();

 private:
  static constexpr int none = -1;
  int number_ = none;
};

// What follows is false where the system refuses; errno tells why.

// All of `bytes`.
bool write_all(const Descriptor& file, std::string_view bytes);

// As many bytes as `bytes` has, from where the file stands; cut off where the file ends before.
bool read_all(const Descriptor& file, std::string& bytes);

// What was made, renamed or removed in the folder is on disk. "": the current one.
bool sync_folder(const std::string& path);

// Makes the folder with all above it; on disk when it returns.
std::error_code make_folders(const std::string& path);

}  // namespace waybill
