#include "expression/path_set.h"

#include <algorithm>
#include <vector>

namespace waybill::expression {

namespace {

enum class Relation : unsigned char { apart, overlap, conflict };

Relation relation(const Terms& terms, PathId a, PathId b) {
  const uint32_t shorter = std::min(a.count, b.count);
  for (uint32_t i = 0; i < shorter; ++i) {
    const PathPart& x = terms.part(a, i);
    const PathPart& y = terms.part(b, i);
    if (x.is_index() != y.is_index()) {
      return Relation::conflict;
    }
    if (terms.compare_parts(x, y) != 0) {
      return Relation::apart;
    }
  }
  return Relation::overlap;
}

bool before(const Terms& terms, PathId a, PathId b) {
  const uint32_t shorter = std::min(a.count, b.count);
  for (uint32_t i = 0; i < shorter; ++i) {
    if (const int order = terms.compare_parts(terms.part(a, i), terms.part(b, i)); order != 0) {
      return order < 0;
    }
  }
  return a.count < b.count;
}

void note(const Terms& terms, PathId one, PathId two, Relation relation, Problems& problems) {
  const bool overlap = relation == Relation::overlap;
  std::string text = "Two document paths ";
  text.append(overlap ? "overlap" : "conflict")
      .append(" with each other; must remove or rewrite one of these paths; path one: ")
      .append(terms.printed(one))
      .append(", path two: ")
      .append(terms.printed(two));
  problems.note(overlap ? Problem::overlap : Problem::conflict, std::move(text));
}

}  // namespace

void PathSet::sort(const Terms& terms) {
  std::sort(entries_.begin(), entries_.end(), [&terms](const Entry& a, const Entry& b) {
    return before(terms, a.path, b.path) || (!before(terms, b.path, a.path) && a.origin < b.origin);
  });
}

void PathSet::note_overlaps(const Terms& terms, Problems& problems) const {
  // Where any two paths touch, two neighbours do.
  bool any = false;
  for (std::size_t i = 1; i < entries_.size() && !any; ++i) {
    any = relation(terms, entries_[i - 1].path, entries_[i].path) != Relation::apart;
  }
  if (!any) {
    return;
  }
  std::vector<PathId> written(entries_.size());
  for (const Entry& entry : entries_) {
    written[entry.origin] = entry.path;
  }
  for (std::size_t two = 1; two < written.size(); ++two) {
    for (std::size_t one = 0; one < two; ++one) {
      const Relation found = relation(terms, written[one], written[two]);
      if (found != Relation::apart) {
        note(terms, written[one], written[two], found, problems);
      }
    }
  }
}

// Without regard to their order: that two names differ mostly shows in their lengths.
PathSet::Range PathSet::named_among_few(const Terms& terms, Range range, uint32_t depth,
                                        std::string_view name) const {
  const auto is_named = [&](uint32_t i) {
    const PathPart& at = part(terms, i, depth);
    return !at.is_index() && terms.name_of(at) == name;
  };
  while (!range.empty() && !is_named(range.first)) {
    ++range.first;
  }
  Range found{range.first, range.first};
  while (found.last < range.last && is_named(found.last)) {
    ++found.last;
  }
  return found;
}

PathSet::Range PathSet::named(const Terms& terms, Range range, uint32_t depth, std::string_view name) const {
  constexpr uint32_t few = 8;
  if (range.last - range.first <= few) {
    return named_among_few(terms, range, depth, name);
  }
  const auto order = [&](const Entry& entry) {
    const PathPart& at = terms.part(entry.path, depth);
    return at.is_index() ? 1 : terms.name_of(at).compare(name);
  };
  const Entry* const begin = entries_.begin() + range.first;
  const Entry* const end = entries_.begin() + range.last;
  const Entry* const first =
      std::partition_point(begin, end, [&](const Entry& entry) { return order(entry) < 0; });
  const Entry* last = first;
  while (last != end && order(*last) == 0) {
    ++last;
  }
  return {static_cast<uint32_t>(first - entries_.begin()), static_cast<uint32_t>(last - entries_.begin())};
}

PathSet::Range PathSet::first_branch(const Terms& terms, Range range, uint32_t depth) const {
  Range branch{range.first, range.first + 1};
  while (branch.last < range.last &&
         terms.compare_parts(part(terms, branch.first, depth), part(terms, branch.last, depth)) == 0) {
    ++branch.last;
  }
  return branch;
}

namespace {

// Recursion is as deep as a path is long.
class Selector {
 public:
  Selector(std::string& out, const PathSet& paths, const Terms& terms)
      : out_(out), paths_(paths), terms_(terms) {}

  void append_members(item::ItemView members, PathSet::Range range, uint32_t depth);

 private:
  void append_elements(item::ValueView list, PathSet::Range range, uint32_t depth);
  void append_value(item::ValueView value, PathSet::Range range, uint32_t depth);
  void append_container(item::ValueView value, PathSet::Range range, uint32_t depth);

  std::string& out_;
  const PathSet& paths_;
  const Terms& terms_;
};

void Selector::append_members(item::ItemView members, PathSet::Range range, uint32_t depth) {
  for (item::AttributeCursor cursor(members); cursor.next();) {
    const auto branch = paths_.named(terms_, range, depth, cursor.name());
    if (branch.empty()) {
      continue;
    }
    const std::size_t start = out_.size();
    item::append_name(out_, cursor.name());
    const std::size_t named = out_.size();
    append_value(cursor.value(), branch, depth);
    if (out_.size() == named) {
      out_.resize(start);
    }
  }
}

void Selector::append_elements(item::ValueView list, PathSet::Range range, uint32_t depth) {
  uint32_t index = 0;
  for (auto elements = list.elements(); elements.next() && !range.empty(); ++index) {
    const PathPart& wanted = paths_.part(terms_, range.first, depth);
    if (wanted.size_or_index == index) {
      const auto branch = paths_.first_branch(terms_, range, depth);
      append_value(elements.value(), branch, depth);
      range.first = branch.last;
    }
  }
}

void Selector::append_value(item::ValueView value, PathSet::Range range, uint32_t depth) {
  if (paths_.ends_at(range, depth)) {
    out_.append(value.encoded());
  } else {
    append_container(value, range, depth + 1);
  }
}

void Selector::append_container(item::ValueView value, PathSet::Range range, uint32_t depth) {
  const bool wants_list = paths_.part(terms_, range.first, depth).is_index();
  if (value.type() != (wants_list ? item::Type::list : item::Type::map)) {
    return;
  }
  const std::size_t start = out_.size();
  const std::size_t mark = item::open_container(out_, value.type());
  if (wants_list) {
    append_elements(value, range, depth);
  } else {
    append_members(value.members(), range, depth);
  }
  if (out_.size() == mark) {
    out_.resize(start);
  } else {
    item::close_container(out_, mark);
  }
}

}  // namespace

void append_selected(std::string& out, item::ItemView item, const PathSet& paths, const Terms& terms) {
  Selector(out, paths, terms).append_members(item, paths.all(), 0);
}

}  // namespace waybill::expression
