#include "object/list_fold.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "object/continuation_token.h"

namespace waybill::object {
namespace {

struct Entry {
  std::string text;
  bool is_prefix = false;

  bool operator==(const Entry&) const = default;
};

struct Page {
  std::vector<Entry> entries;
  bool is_truncated = false;
  ListPosition next;
  int seeks = 0;
  int looks = 0;
};

Page list(const std::set<std::string>& keys, const ListQuery& query) {
  ListFold fold(query);
  Page page;
  auto at = keys.end();
  const auto seek = [&] {
    ++page.seeks;
    at = fold.seek_key() ? keys.lower_bound(*fold.seek_key()) : keys.end();
  };
  for (seek(); at != keys.end();) {
    ++page.looks;
    const auto step = fold.take(*at);
    if (step == ListFold::Step::end) {
      break;
    }
    if (step == ListFold::Step::key) {
      page.entries.push_back({*at, false});
      ++at;
      continue;
    }
    EXPECT_EQ(step, ListFold::Step::common_prefix);
    page.entries.push_back({fold.common_prefix(), true});
    seek();
  }
  page.is_truncated = fold.is_truncated();
  page.next = fold.next_position();
  return page;
}

// What a listing without a position is, from its definition.
std::vector<Entry> naive(const std::set<std::string>& keys, const ListQuery& query) {
  std::vector<Entry> entries;
  for (const auto& key : keys) {
    if (!key.starts_with(query.prefix)) {
      continue;
    }
    const auto rest = key.substr(query.prefix.size());
    const auto at = query.delimiter.empty() ? std::string::npos : rest.find(query.delimiter);
    const Entry entry = at == std::string::npos
                            ? Entry{key, false}
                            : Entry{query.prefix + rest.substr(0, at + query.delimiter.size()), true};
    if (entries.empty() || entries.back() != entry) {
      entries.push_back(entry);
    }
  }
  return entries;
}

TEST(ListFold, ExampleOfTheServicesGuide) {
  const std::set<std::string> keys{"sample.jpg", "photos/2006/January/sample.jpg",
                                   "photos/2006/February/sample2.jpg", "photos/2006/February/sample3.jpg",
                                   "photos/2006/February/sample4.jpg"};
  EXPECT_EQ(list(keys, {"", "/", {}, 1000}).entries, (std::vector<Entry>{{"photos/", true}, {"sample.jpg"}}));
  EXPECT_EQ(list(keys, {"photos/2006/", "/", {}, 1000}).entries,
            (std::vector<Entry>{{"photos/2006/February/", true}, {"photos/2006/January/", true}}));
}

TEST(ListFold, MaximumAndTruncation) {
  const std::set<std::string> keys{"a/1", "a/2", "b", "c"};
  EXPECT_FALSE(list(keys, {"", "/", {}, 3}).is_truncated);
  const auto page = list(keys, {"", "/", {}, 1});
  EXPECT_TRUE(page.is_truncated);
  EXPECT_EQ(page.next, (ListPosition{ListPosition::Kind::behind_prefix, "a/"}));
  const auto nothing = list(keys, {"", "/", {}, 0});
  EXPECT_TRUE(nothing.entries.empty());
  EXPECT_FALSE(nothing.is_truncated);
  EXPECT_FALSE(list({}, {"", "/", {}, 1}).is_truncated);
}

TEST(ListFold, AMillionKeysOfAFolderCostOneSeek) {
  std::set<std::string> keys{"z"};
  for (int i = 0; i < 1'000'000; ++i) {
    keys.insert(keys.end(), "folder/" + std::to_string(10'000'000 + i));
  }
  const auto page = list(keys, {"", "/", {}, 1000});
  EXPECT_EQ(page.entries, (std::vector<Entry>{{"folder/", true}, {"z"}}));
  EXPECT_EQ(page.seeks, 2);
  EXPECT_EQ(page.looks, 2);
}

TEST(ListFold, Markers) {
  const ListQuery query{"p/", "/", {}, 10};
  using Kind = ListPosition::Kind;
  EXPECT_EQ(position_behind("", query).kind, Kind::start);
  EXPECT_EQ(position_behind("p/x", query).kind, Kind::behind_key);
  EXPECT_EQ(position_behind("p/x/", query).kind, Kind::behind_prefix);
  EXPECT_EQ(position_behind("p/x/y", query).kind, Kind::behind_key);
  EXPECT_EQ(position_behind("p/", query).kind, Kind::behind_key);
  EXPECT_EQ(position_behind("q/x/", query).kind, Kind::behind_key);
  // A marker inside a folder leaves the folder's other keys, which are told as its common prefix.
  const std::set<std::string> keys{"a/1", "a/2", "b"};
  ListQuery inside{"", "/", {}, 10};
  inside.position = position_behind("a/1", inside);
  EXPECT_EQ(list(keys, inside).entries, (std::vector<Entry>{{"a/", true}, {"b"}}));
  inside.position = position_behind("a/2", inside);
  EXPECT_EQ(list(keys, inside).entries, (std::vector<Entry>{{"b"}}));
}

TEST(ListFold, HighestBytes) {
  const std::set<std::string> keys{"a", "\xff", "\xff\xff",
                                   "\xff\xff"
                                   "b"};
  EXPECT_EQ(list(keys, {"", "\xff", {}, 10}).entries, (std::vector<Entry>{{"a"}, {"\xff", true}}));
  EXPECT_EQ(list(keys, {"\xff", "", {}, 10}).entries.size(), 3U);
}

// Random keys and queries in pages of every size, each page from the token of the one before, against the
// naive model over the whole set.
TEST(ListFold, PagesAgainstTheModel) {
  std::mt19937_64 random(6);
  const auto text = [&random](std::size_t length_max) {
    constexpr std::string_view characters = "ab/-";
    std::string made;
    for (auto left = random() % (length_max + 1); left > 0; --left) {
      made += characters[random() % characters.size()];
    }
    return made;
  };
  for (int round = 0; round < 4000; ++round) {
    std::set<std::string> keys;
    for (auto left = random() % 40; left > 0; --left) {
      keys.insert("k" + text(6));
    }
    const std::string delimiters[] = {"", "/", "-", "/-", "a/"};
    ListQuery query{random() % 3 == 0 ? "k" + text(2) : "", delimiters[random() % 5], {}, 1 + random() % 6};
    const auto expected = naive(keys, query);
    std::vector<Entry> listed;
    for (bool more = true; more;) {
      const auto page = list(keys, query);
      ASSERT_LE(page.entries.size(), query.entries_max);
      listed.insert(listed.end(), page.entries.begin(), page.entries.end());
      more = page.is_truncated;
      ASSERT_EQ(more, listed.size() < expected.size());
      if (more) {
        ASSERT_EQ(page.next, position_behind(page.entries.back().text, query));
        query.position = *read_continuation_token(make_continuation_token(page.next));
      }
    }
    ASSERT_EQ(listed, expected) << "prefix " << query.prefix << " delimiter " << query.delimiter;
  }
}

TEST(ContinuationToken, OnlyOursAreTaken) {
  const ListPosition position{ListPosition::Kind::behind_key, std::string("a\0/\xc3\xbc", 5)};
  const std::string token = make_continuation_token(position);
  EXPECT_EQ(*read_continuation_token(token), position);
  for (std::size_t i = 0; i < token.size(); ++i) {
    auto changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(read_continuation_token(changed)) << i;
    EXPECT_FALSE(read_continuation_token(token.substr(0, i)));
  }
  EXPECT_FALSE(read_continuation_token(std::string(1 << 20, 'A')));
  EXPECT_FALSE(read_continuation_token(make_continuation_token({})));
  const ListPosition longest{ListPosition::Kind::behind_prefix, std::string(1024, 'k')};
  EXPECT_EQ(*read_continuation_token(make_continuation_token(longest)), longest);
}

}  // namespace
}  // namespace waybill::object
