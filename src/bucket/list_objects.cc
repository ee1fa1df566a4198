// The part of Buckets that lists.
#include <utility>

#include "bucket/buckets.h"
#include "object/list_fold.h"
#include "rules/system_tables.h"

namespace waybill::bucket {
namespace {

using object::ListFold;

// Reads rows from where the fold wants to begin, until it wants to begin elsewhere or is at its end. `take`
// gets each row that is part of the listing by itself. Whether there may be more.
template <typename Take>
Result<bool> fold_some(const Rows& rows, std::string_view table, std::string_view bucket, ListFold& fold,
                       std::vector<std::string>& common_prefixes, const Take& take) {
  if (!fold.seek_key()) {
    return false;
  }
  bool seeks = false;
  const std::string from = *fold.seek_key();
  WAYBILL_TRY(rows.read(table, bucket, from, [&](item::ItemView row) {
    const auto key = row.find("key");
    switch (fold.take(key->bytes())) {
      case ListFold::Step::key:
        take(row);
        return true;
      case ListFold::Step::common_prefix:
        common_prefixes.push_back(fold.common_prefix());
        seeks = true;
        return false;
      case ListFold::Step::skip:
        seeks = true;
        return false;
      case ListFold::Step::end:
        return false;
    }
    return false;
  }));
  return seeks;
}

}  // namespace

Result<ObjectPage> Buckets::list_objects(std::string_view bucket, const object::ListQuery& query) const {
  WAYBILL_TRY(need_bucket(bucket));
  ObjectPage page;
  ListFold fold(query);
  for (bool more = true; more;) {
    WAYBILL_TRY_ASSIGN(more,
                       fold_some(rows_, rules::objects_table, bucket, fold, page.common_prefixes,
                                 [&](item::ItemView row) { page.objects.push_back(read_object_row(row)); }));
  }
  page.is_truncated = fold.is_truncated();
  page.next = fold.next_position();
  return page;
}

}  // namespace waybill::bucket
