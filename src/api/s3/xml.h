#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

// The XML that answers are made of.
namespace waybill::api::s3 {

class Xml {
 public:
  Xml();

  // The outermost element, in the service's namespace.
  void open_root(std::string_view name);
  void open(std::string_view name);
  void close(std::string_view name);

  // <name>text</name>, so that a parser gives back exactly that text. Characters that XML cannot have are
  // written as references: parsers of SDKs take them, and a listing can be asked for in URL encoding.
  void element(std::string_view name, std::string_view content);
  void number(std::string_view name, int64_t value);
  void boolean(std::string_view name, bool value);

  // Inside the element that is open.
  void text(std::string_view content);

  std::string take() && { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace waybill::api::s3
