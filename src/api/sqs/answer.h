#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace waybill::api::sqs {

// The two protocols that clients of SQS speak.
enum class Protocol : unsigned char { json, query };

// How a list of structures or of texts is called: as one field in JSON, and each element in XML.
struct ListForm {
  std::string_view json;
  std::string_view xml;
};

// The same of a map; in XML each entry is an element with two fields.
struct MapForm {
  std::string_view json;
  std::string_view xml;
  std::string_view key = "Name";
  std::string_view value = "Value";
};

inline constexpr MapForm attributes_form{"Attributes", "Attribute"};
inline constexpr MapForm tags_form{"Tags", "Tag", "Key", "Value"};
inline constexpr MapForm message_attributes_form{"MessageAttributes", "MessageAttribute"};

// The answer of an operation, described once and written as JSON or as XML.
//
// Structures are not checked to be closed, and lists and maps that are empty are left out by whoever writes
// them: the service does so, and clients tell from it.
class Answer {
 public:
  explicit Answer(Protocol protocol, std::size_t bytes_expected = 0);

  Answer& text(std::string_view name, std::string_view value);
  Answer& integer(std::string_view name, int64_t value);
  Answer& boolean(std::string_view name, bool value);
  Answer& bytes(std::string_view name, std::string_view value);  // as base64

  // Lists of structures: begin_list, then for each element begin_element, its fields, end_element.
  Answer& begin_list(const ListForm& form);
  Answer& begin_element(const ListForm& form);
  Answer& end_element(const ListForm& form);
  Answer& end_list();
  // Nothing where there are none.
  Answer& texts(const ListForm& form, const std::vector<std::string>& values);

  // Maps: begin_map, then entries of texts, or of structures between begin_entry and end_entry.
  Answer& begin_map(const MapForm& form);
  Answer& entry(const MapForm& form, std::string_view key, std::string_view value);
  Answer& begin_entry(const MapForm& form, std::string_view key);
  Answer& end_entry(const MapForm& form);
  Answer& end_map();
  // Nothing where there are none.
  Answer& map(const MapForm& form, const std::map<std::string, std::string>& values);

  // A JSON object; or the fields alone, which stand between the elements that every XML answer has.
  std::string take() &&;

 private:
  bool is_json() const { return protocol_ == Protocol::json; }
  void begin_field(std::string_view name);
  void separate();
  void open(std::string_view element);
  void close(std::string_view element);

  Protocol protocol_;
  bool comma_ = false;
  std::string out_;
};

}  // namespace waybill::api::sqs
