// item: numbers. Each part goes through eight of them, as items have them: counts, times, fractions.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "item/number.h"
#include "item/value.h"
#include "part.h"

namespace waybill::micro {
namespace {

using item::Decimal;

constexpr std::string_view texts[] = {"-273.15", "-1",      "0",          "0.9812",
                                      "42",      "2457600", "1759665600", "1759665600123"};
constexpr int64_t texts_bytes = 55;

std::vector<Decimal> numbers() {
  std::vector<Decimal> parsed;
  for (const auto text : texts) {
    parsed.push_back(*Decimal::parse(text));
  }
  return parsed;
}

Work parse() {
  return {.once =
              [] {
                for (const auto text : texts) {
                  const auto number = Decimal::parse(text);
                  benchmark::DoNotOptimize(number);
                }
              },
          .bytes = texts_bytes,
          .items = std::size(texts)};
}

Work write() {
  auto out = std::make_shared<std::string>();
  return {.once =
              [out, all = numbers()] {
                out->clear();
                for (const auto& number : all) {
                  number.append_text(*out);
                }
                benchmark::DoNotOptimize(out->data());
              },
          .bytes = texts_bytes,
          .items = std::size(texts)};
}

// As sort keys stand in keys: written, and read back.
Work ordered() {
  auto out = std::make_shared<std::string>();
  return {.once =
              [out, all = numbers()] {
                out->clear();
                for (const auto& number : all) {
                  number.append_ordered(*out);
                }
                const char* at = out->data();
                for (std::size_t i = 0; i < all.size(); ++i) {
                  const auto number = Decimal::read_ordered(at);
                  benchmark::DoNotOptimize(number);
                }
              },
          .bytes = texts_bytes,
          .items = std::size(texts)};
}

// Stored values, each with the next.
Work compare() {
  std::vector<std::string> values;
  for (const auto text : texts) {
    item::append_scalar(values.emplace_back(), item::Type::number, text);
  }
  return {.once =
              [values] {
                for (std::size_t i = 1; i < values.size(); ++i) {
                  const auto order =
                      item::compare(item::ValueView(values[i - 1].data()), item::ValueView(values[i].data()));
                  benchmark::DoNotOptimize(order);
                }
              },
          .bytes = texts_bytes,
          .items = std::size(texts) - 1};
}

// SET count = count + :one
Work add() {
  return {.once =
              [all = numbers(), one = *Decimal::parse("1")] {
                for (const auto& number : all) {
                  const auto sum = Decimal::add(number, one);
                  benchmark::DoNotOptimize(sum);
                }
              },
          .bytes = texts_bytes,
          .items = std::size(texts)};
}

}  // namespace

void add_number_parts(Parts& parts) {
  parts.push_back({"number.parse_8", parse});
  parts.push_back({"number.write_8", write});
  parts.push_back({"number.ordered_8", ordered});
  parts.push_back({"number.compare_7", compare});
  parts.push_back({"number.add_8", add});
}

}  // namespace waybill::micro
