#include "migration/new_key.h"

#include <algorithm>
#include <utility>

#include "migration/field_rule.h"

namespace waybill::migration {

namespace {

constexpr std::size_t partition_bytes_max = 2048;
constexpr std::size_t sort_bytes_max = 1024;

std::optional<std::string> text_of(item::ItemView item, const std::string& field) {
  const auto value = item.find(field);
  const bool is_text = value && (value->type() == item::Type::string || value->type() == item::Type::number);
  return is_text ? std::optional<std::string>(value->bytes()) : std::nullopt;
}

// "{field}" and no more: the value goes over as it is.
const std::string* lone_field(const contract::TextTemplate& text) {
  const bool is_lone = text.parts().size() == 1 && text.parts()[0].is_field && text.parts()[0].width == 0;
  return is_lone ? &text.parts()[0].text : nullptr;
}

// The value of a key attribute, encoded.
std::optional<std::string> value_of(const table::KeyAttribute& attribute, const contract::TextTemplate& text,
                                    item::ItemView item) {
  const std::string* const lone = lone_field(text);
  const auto present = lone != nullptr ? item.find(*lone) : std::nullopt;
  if (present && present->type() == attribute.type) {
    return std::string(present->encoded());
  }
  const auto made = text.render([&](const std::string& field) { return text_of(item, field); });
  if (!made || attribute.type != item::Type::string) {
    return {};
  }
  std::string encoded;
  item::append_scalar(encoded, item::Type::string, *made);
  return encoded;
}

Error template_error(const std::string& attribute, const Error& error) {
  return invalid(attribute + ": " + error.message);
}

KeyMaking as_they_are(const table::KeySchema& key) {
  KeyMaking making{{key.partition.name, "{" + key.partition.name + "}"}};
  if (key.sort) {
    making.emplace_back(key.sort->name, "{" + key.sort->name + "}");
  }
  return making;
}

Status check_back(const KeyMaking& back, const table::KeySchema& old_key) {
  const auto has = [&](const std::string& name) {
    return std::ranges::any_of(back, [&](const auto& part) { return part.first == name; });
  };
  if (has(old_key.partition.name) && (!old_key.sort || has(old_key.sort->name)) &&
      back.size() == (old_key.sort ? 2U : 1U)) {
    return {};
  }
  return invalid("--back says how the old key is made of the fields: it names each of its attributes once");
}

}  // namespace

Result<KeyChange::Parts> KeyChange::read(const KeyMaking& making, const table::KeySchema* types) {
  Parts parts;
  for (const auto& [attribute, text] : making) {
    auto made = contract::TextTemplate::parse(text);
    if (!made) {
      return template_error(attribute, made.error());
    }
    auto type = item::Type::string;
    if (types != nullptr) {
      type = types->partition.name == attribute ? types->partition.type : types->sort->type;
    }
    parts.push_back({{attribute, type}, *std::move(made)});
  }
  return parts;
}

Result<KeyChange> KeyChange::make(const Migration& migration, const table::KeySchema& old_key) {
  if (migration.make.empty() || migration.make.size() > 2) {
    return invalid("a key has one attribute or two: give PK=… or PK=… SK=…");
  }
  KeyChange change;
  WAYBILL_TRY_ASSIGN(change.make_, read(migration.make, nullptr));
  change.new_key_.partition = change.make_[0].attribute;
  if (change.make_.size() == 2) {
    change.new_key_.sort = change.make_[1].attribute;
  }
  for (const auto& part : change.make_) {
    const std::string* const lone = lone_field(part.text);
    if (lone != nullptr && *lone == part.attribute.name) {
      continue;
    }
    if (!old_key.has(part.attribute.name)) {
      change.added_.push_back(part.attribute.name);
    } else if (migration.back.empty()) {
      return invalid("the new key has " + part.attribute.name +
                     " as the old one had, with another value: say with --back how the old key is made of "
                     "the fields, as in --back 'PK=IMAGE#{id}' 'SK=METADATA'");
    }
  }
  const KeyMaking& back = migration.back.empty() ? as_they_are(old_key) : migration.back;
  WAYBILL_TRY(check_back(back, old_key));
  WAYBILL_TRY_ASSIGN(change.back_, read(back, &old_key));
  return change;
}

std::optional<item::Item> KeyChange::with_key(const Parts& parts, item::ItemView item) {
  std::vector<std::string> values;
  for (const auto& part : parts) {
    auto value = value_of(part.attribute, part.text, item);
    const std::size_t bytes_max = values.empty() ? partition_bytes_max : sort_bytes_max;
    if (!value || item::ValueView(value->data()).bytes().empty() || value->size() > bytes_max) {
      return {};
    }
    values.push_back(*std::move(value));
  }
  item::Item made{std::string(item.encoded())};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    made = with_attribute(made.view(), parts[i].attribute.name, item::ValueView(values[i].data()));
  }
  return made;
}

std::optional<item::Item> KeyChange::forward(item::ItemView item) const {
  return with_key(make_, item);
}

std::optional<item::Item> KeyChange::backward(item::ItemView item) const {
  auto made = with_key(back_, item);
  for (std::size_t i = 0; made && i < added_.size(); ++i) {
    made = with_attribute(made->view(), added_[i], std::nullopt);
  }
  return made;
}

}  // namespace waybill::migration
