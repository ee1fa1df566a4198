#pragma once

#include <string>
#include <utility>
#include <vector>

#include "contract/compare.h"
#include "contract/model.h"

// The parts of the comparison, each in a file of its own. For compare.cc.
namespace waybill::contract {

class Differences {
 public:
  void safe(std::string what, std::string why) {
    add(Difference::Kind::safe, std::move(what), std::move(why));
  }
  void migration(std::string what, std::string why) {
    add(Difference::Kind::migration, std::move(what), std::move(why));
  }
  void refused(std::string what, std::string why) {
    add(Difference::Kind::refused, std::move(what), std::move(why));
  }
  std::vector<Difference> take() { return std::move(found_); }

 private:
  void add(Difference::Kind kind, std::string what, std::string why) {
    found_.push_back({kind, std::move(what), std::move(why)});
  }

  std::vector<Difference> found_;
};

void compare_fields(const std::vector<Field>& before, const std::vector<Field>& after,
                    const std::string& record, const std::string& path, Differences& found);
void compare_effects(const Record& before, const Record& after, Differences& found);
void compare_status(const Record& before, const Record& after, Differences& found);
void compare_buckets(const Contract& before, const Contract& after, Differences& found);
void compare_publish(const Contract& before, const Contract& after, Differences& found);
void compare_work(const Record& before, const Record& after, Differences& found);

}  // namespace waybill::contract
