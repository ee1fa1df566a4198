#include "object/list_fold.h"

#include <algorithm>

namespace waybill::object {
namespace {

// The least text that is greater than all that begin with `prefix`; nothing where there is none.
std::optional<std::string> behind_all_with(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xff) {
    prefix.pop_back();
  }
  if (prefix.empty()) {
    return std::nullopt;
  }
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

std::optional<std::string> first_behind(const ListPosition& position) {
  switch (position.kind) {
    case ListPosition::Kind::start:
      return std::string();
    case ListPosition::Kind::behind_key:
      return position.text + '\0';
    case ListPosition::Kind::behind_prefix:
      return behind_all_with(position.text);
  }
  return std::nullopt;
}

// Up to and with the first delimiter behind the listing's prefix, or empty where the key has none there.
std::string_view group_of(std::string_view key, const ListQuery& query) {
  if (query.delimiter.empty()) {
    return {};
  }
  const auto at = key.find(query.delimiter, query.prefix.size());
  return at == std::string_view::npos ? std::string_view() : key.substr(0, at + query.delimiter.size());
}

}  // namespace

ListPosition position_behind(std::string_view marker, const ListQuery& query) {
  if (marker.empty()) {
    return {};
  }
  const bool is_group = marker.starts_with(query.prefix) && group_of(marker, query) == marker;
  return {is_group ? ListPosition::Kind::behind_prefix : ListPosition::Kind::behind_key, std::string(marker)};
}

ListFold::ListFold(ListQuery query)
    : query_(std::move(query)), seek_key_(first_behind(query_.position)), last_(query_.position) {
  if (seek_key_) {
    seek_key_ = std::max(*seek_key_, query_.prefix);
  }
}

ListFold::Step ListFold::take(std::string_view key) {
  if (!seek_key_ || query_.entries_max == 0) {
    return Step::end;
  }
  if (key < *seek_key_) {
    return Step::skip;
  }
  if (!key.starts_with(query_.prefix)) {
    return Step::end;
  }
  if (entry_count_ == query_.entries_max) {
    is_truncated_ = true;
    return Step::end;
  }
  return take_entry(key);
}

ListFold::Step ListFold::take_entry(std::string_view key) {
  ++entry_count_;
  const auto group = group_of(key, query_);
  if (group.empty()) {
    last_ = {ListPosition::Kind::behind_key, std::string(key)};
    seek_key_ = first_behind(last_);
    return Step::key;
  }
  common_prefix_ = group;
  last_ = {ListPosition::Kind::behind_prefix, common_prefix_};
  seek_key_ = first_behind(last_);
  return Step::common_prefix;
}

}  // namespace waybill::object
