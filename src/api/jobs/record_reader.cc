// The half of record_json.h that reads.
#include <algorithm>
#include <utility>

#include "api/jobs/record_json.h"
#include "base/bytes.h"
#include "item/member_names.h"
#include "item/number.h"

namespace waybill::api::jobs {
namespace {

using contract::Field;
using contract::FieldType;
using item::Type;

Error wrong(const std::string& path, const std::string& what) {
  return Error{ErrorKind::invalid, path + " " + what, path};
}

const Field* find_field(const std::vector<Field>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

// Calls visit(name, value) for each member. Of members with the same name the last one counts.
template <typename Visit>
Status for_each_member(const json::Value& object, Visit visit) {
  std::vector<bool> superseded;
  if (item::has_namesakes(object)) {
    superseded = item::superseded_members(object);
  }
  std::size_t number = 0;
  for (json::Members each(object); each.next(); ++number) {
    if (superseded.empty() || !superseded[number]) {
      WAYBILL_TRY(visit(each.key(), each.value()));
    }
  }
  return {};
}

bool is_number(FieldType type) {
  return type == FieldType::integer || type == FieldType::number || type == FieldType::epoch_ms ||
         type == FieldType::epoch_s;
}

// Writes values in the stored form behind one another, with the path to where it is for errors.
class Reader {
 public:
  Reader(const Document& document, std::string& out) : document_(document), out_(out) {}

  Status append(const json::Value& value, const Field* field) {
    if (depth_ > item::nesting_levels_max) {
      return Error{ErrorKind::invalid, path_ + " is nested deeper than 32 levels", path_};
    }
    switch (value.type()) {
      case json::Type::null:
        item::append_null(out_);
        return {};
      case json::Type::boolean:
        item::append_boolean(out_, value.boolean());
        return {};
      case json::Type::number:
        return append_number(value);
      case json::Type::string:
        return append_string(value, field);
      case json::Type::array:
        return append_array(value, field);
      case json::Type::object:
        return append_object(value, field == nullptr ? nullptr : &field->fields);
    }
    return {};
  }

  // The members without the braces. Those that are null are left out at the top, and kept further down where
  // nothing is known of them.
  Status append_members(const json::Value& object, const std::vector<Field>* fields) {
    return for_each_member(object, [&](std::string_view name, const json::Value& value) -> Status {
      const Field* const field = fields == nullptr ? nullptr : find_field(*fields, name);
      const bool is_known = field != nullptr || depth_ == 0;
      if ((value.is_null() && is_known) || is_empty_set(value, field)) {
        return {};
      }
      item::append_name(out_, name);
      return append_below(name, value, field);
    });
  }

  Status append_below(std::string_view name, const json::Value& value, const Field* field) {
    const std::size_t above = enter(name);
    WAYBILL_TRY(append(value, field));
    leave(above);
    return {};
  }

  // Goes down into what has this name, and back up.
  std::size_t enter(std::string_view name) {
    const std::size_t above = path_.size();
    path_.append(above == 0 ? "" : ".").append(name);
    ++depth_;
    return above;
  }
  void leave(std::size_t above) {
    path_.resize(above);
    --depth_;
  }

  static bool is_empty_set(const json::Value& value, const Field* field) {
    return field != nullptr && field->type == FieldType::set && value.is_array() && value.size() == 0;
  }

  int depth() const { return depth_; }

 private:
  Result<std::string> number_of(const json::Value& value) const {
    std::string text;
    document_.append_number(text, value);
    if (item::is_surely_normal(text)) {
      return text;
    }
    auto number = item::Decimal::parse(text);
    if (!number) {
      return wrong(path_, "does not fit: numbers have up to 38 digits, between 1E-130 and 9.9E+125");
    }
    text.clear();
    number->append_text(text);
    return text;
  }

  Status append_number(const json::Value& value) {
    WAYBILL_TRY_ASSIGN(const auto text, number_of(value));
    item::append_scalar(out_, Type::number, text);
    return {};
  }

  Result<std::string> binary_of(const json::Value& value) const {
    auto bytes = decode_base64(value.string());
    if (!bytes) {
      return wrong(path_, "must be base64 (RFC 4648, 4), with padding");
    }
    return *std::move(bytes);
  }

  Status append_string(const json::Value& value, const Field* field) {
    if (field == nullptr || field->type != FieldType::binary) {
      item::append_scalar(out_, Type::string, value.string());
      return {};
    }
    WAYBILL_TRY_ASSIGN(const auto bytes, binary_of(value));
    item::append_scalar(out_, Type::binary, bytes);
    return {};
  }

  Status append_array(const json::Value& value, const Field* field) {
    const Field* const element = field == nullptr ? nullptr : field->element.get();
    if (field != nullptr && field->type == FieldType::set) {
      return append_set(value, element);
    }
    const auto mark = item::open_container(out_, Type::list);
    std::size_t number = 0;
    for (json::Elements each(value); each.next(); ++number) {
      WAYBILL_TRY(append_below(std::to_string(number), each.value(), element));
    }
    item::close_container(out_, mark);
    return {};
  }

  Result<std::string> member_of(const json::Value& value, Type type) const {
    const auto wanted = type == Type::number_set ? json::Type::number : json::Type::string;
    if (value.type() != wanted) {
      return wrong(path_, type == Type::number_set ? "must have numbers alone" : "must have texts alone");
    }
    switch (type) {
      case Type::number_set:
        return number_of(value);
      case Type::binary_set:
        return binary_of(value);
      default:
        return std::string(value.string());
    }
  }

  static Type set_type(const json::Value& array, const Field* element) {
    if (element != nullptr && element->type != FieldType::any) {
      return is_number(element->type)             ? Type::number_set
             : element->type == FieldType::binary ? Type::binary_set
                                                  : Type::string_set;
    }
    json::Elements first(array);
    return first.next() && first.value().type() == json::Type::number ? Type::number_set : Type::string_set;
  }

  Status append_set(const json::Value& value, const Field* element) {
    const Type type = set_type(value, element);
    std::vector<std::string> members;
    for (json::Elements each(value); each.next();) {
      WAYBILL_TRY_ASSIGN(auto member, member_of(each.value(), type));
      members.push_back(std::move(member));
    }
    std::ranges::sort(members);
    members.erase(std::ranges::unique(members).begin(), members.end());
    item::append_set(out_, type, {members.begin(), members.end()});
    return {};
  }

  Status append_object(const json::Value& value, const std::vector<Field>* fields) {
    const auto mark = item::open_container(out_, Type::map);
    WAYBILL_TRY(append_members(value, fields));
    item::close_container(out_, mark);
    return {};
  }

  const Document& document_;
  std::string& out_;
  std::string path_;
  int depth_ = 0;
};

// Goes through a merge patch: what is null is noted as removed, the rest is written.
class PatchReader {
 public:
  PatchReader(const Document& document, job::Patch& patch)
      : reader_(document, patch.set.encoded), out_(patch.set.encoded), removed_(patch.removed) {}

  Status append(const json::Value& object, const std::vector<Field>* fields) {
    return for_each_member(object, [&](std::string_view name, const json::Value& value) {
      return append_member(name, value, fields == nullptr ? nullptr : find_field(*fields, name));
    });
  }

 private:
  Status append_member(std::string_view name, const json::Value& value, const Field* field) {
    if (value.is_null() || Reader::is_empty_set(value, field)) {
      removed_.push_back(path_);
      removed_.back().emplace_back(name);
      return {};
    }
    item::append_name(out_, name);
    if (!value.is_object() || reader_.depth() >= item::nesting_levels_max) {
      return reader_.append_below(name, value, field);
    }
    const std::size_t above = reader_.enter(name);
    path_.emplace_back(name);
    const auto mark = item::open_container(out_, Type::map);
    WAYBILL_TRY(append(value, field == nullptr ? nullptr : &field->fields));
    item::close_container(out_, mark);
    path_.pop_back();
    reader_.leave(above);
    return {};
  }

  Reader reader_;
  std::string& out_;
  std::vector<job::Path>& removed_;
  job::Path path_;
};

}  // namespace

Result<item::Item> read_record(const contract::Record& record, const Document& document,
                               const json::Value& object) {
  item::Item made;
  WAYBILL_TRY(Reader(document, made.encoded).append_members(object, &record.fields));
  return made;
}

Result<job::Patch> read_patch(const contract::Record& record, const Document& document,
                              const json::Value& object) {
  job::Patch patch;
  WAYBILL_TRY(PatchReader(document, patch).append(object, &record.fields));
  return patch;
}

}  // namespace waybill::api::jobs
