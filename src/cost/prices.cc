#include "cost/prices.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/json.h"
#include "cost/built_in_prices.h"

namespace waybill::cost {
namespace {

constexpr std::string_view standard = "STANDARD";

struct PriceMember {
  std::string_view name;
  double ClassPrices::* price;
};

constexpr PriceMember price_members[] = {
    {"on_demand_read_million", &ClassPrices::on_demand_read_million},
    {"on_demand_write_million", &ClassPrices::on_demand_write_million},
    {"provisioned_read_unit_hour", &ClassPrices::provisioned_read_unit_hour},
    {"provisioned_write_unit_hour", &ClassPrices::provisioned_write_unit_hour},
    {"storage_gb_month", &ClassPrices::storage_gb_month},
};

struct TextMember {
  std::string_view name;
  std::string Prices::* text;
};

constexpr TextMember text_members[] = {
    {"region", &Prices::region}, {"currency", &Prices::currency}, {"date", &Prices::date}};

Error wrong(std::string_view source, std::string_view what) {
  return invalid("the price file " + std::string(source) + ": " + std::string(what));
}

Result<ClassPrices> parse_class(const json::Value& object, std::string_view source, const std::string& path) {
  if (!object.is_object()) {
    return wrong(source, path + " must be an object");
  }
  ClassPrices prices;
  for (const auto& member : price_members) {
    const auto value = object.find(member.name);
    const std::string name = path + "." + std::string(member.name);
    if (!value) {
      return wrong(source, name + " is missing");
    }
    if (value->type() != json::Type::number || value->number() < 0 || !std::isfinite(value->number())) {
      return wrong(source, name + " must be a number of 0 or more");
    }
    prices.*member.price = value->number();
  }
  for (json::Members members(object); members.next();) {
    if (std::ranges::find(price_members, members.key(), &PriceMember::name) == std::end(price_members)) {
      return wrong(source, path + "." + std::string(members.key()) + " is not known");
    }
  }
  return prices;
}

Status parse_classes(const json::Value& classes, Prices& prices) {
  if (!classes.is_object()) {
    return wrong(prices.source, "classes must be an object");
  }
  for (json::Members members(classes); members.next();) {
    const std::string name(members.key());
    if (name != standard && name != "STANDARD_INFREQUENT_ACCESS") {
      return wrong(prices.source, "classes." + name + " is not known");
    }
    WAYBILL_TRY_ASSIGN(prices.classes[name], parse_class(members.value(), prices.source, "classes." + name));
  }
  if (!prices.classes.contains(standard)) {
    return wrong(prices.source, "classes.STANDARD is missing");
  }
  return {};
}

Status parse_texts(const json::Value& root, Prices& prices) {
  for (const auto& member : text_members) {
    const auto value = root.find(member.name);
    if (!value || !value->is_string()) {
      return wrong(prices.source, std::string(member.name) + (value ? " must be a text" : " is missing"));
    }
    prices.*member.text = value->string();
  }
  for (json::Members members(root); members.next();) {
    const bool known =
        members.key() == "classes" ||
        std::ranges::find(text_members, members.key(), &TextMember::name) != std::end(text_members);
    if (!known) {
      return wrong(prices.source, std::string(members.key()) + " is not known");
    }
  }
  return {};
}

}  // namespace

const ClassPrices& Prices::of(std::string_view table_class) const {
  const auto found = classes.find(table_class);
  return found != classes.end() ? found->second : classes.find(standard)->second;
}

Result<Prices> parse_prices(std::string_view text, std::string source) {
  json::Parser parser;
  const auto root = parser.parse_copy(text);
  Prices prices;
  prices.source = std::move(source);
  if (!root || !root->is_object()) {
    return wrong(prices.source, "it is not a JSON object");
  }
  WAYBILL_TRY(parse_texts(*root, prices));
  const auto classes = root->find("classes");
  if (!classes) {
    return wrong(prices.source, "classes is missing");
  }
  WAYBILL_TRY(parse_classes(*classes, prices));
  return prices;
}

const Prices& built_in_prices() {
  static const Prices prices = [] {
    auto parsed = parse_prices(built_in_prices_text, "built in");
    WAYBILL_CHECK(parsed);
    return *std::move(parsed);
  }();
  return prices;
}

}  // namespace waybill::cost
