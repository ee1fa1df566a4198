#include "expression/projection.h"

#include "expression/grammar.h"

namespace waybill::expression {

//   projection := path (, path)*
class ProjectionParser : private Grammar {
 public:
  ProjectionParser(std::string_view text, Placeholders& placeholders)
      : Grammar(text, ExpressionKind::projection, placeholders) {}

  Result<Projection> parse();
};

Result<Projection> ProjectionParser::parse() {
  WAYBILL_TRY(check_text());
  Projection projection;
  do {
    WAYBILL_TRY_ASSIGN(const PathId path, parse_path());
    projection.paths_.add(path);
  } while (accept(","));
  if (token().kind != TokenKind::end) {
    return syntax_error();
  }
  projection.paths_.sort(terms_);
  projection.paths_.note_overlaps(terms_, problems_);
  if (const auto* text = problems_.first_of(
          {Problem::reserved_word, Problem::undefined_name, Problem::overlap, Problem::conflict})) {
    return fail(*text);
  }
  projection.terms_ = std::move(terms_);
  return projection;
}

Result<Projection> Projection::parse(std::string_view text, Placeholders& placeholders) {
  return ProjectionParser(text, placeholders).parse();
}

Projection Projection::from_names(const std::vector<std::string>& names) {
  Projection projection;
  for (const std::string& name : names) {
    PathId path = projection.terms_.begin_path();
    projection.terms_.add_name(path, name);
    projection.paths_.add(path);
  }
  projection.paths_.sort(projection.terms_);
  return projection;
}

Projection Projection::from_columns(std::vector<Column> columns, Terms terms) {
  Projection projection;
  for (const Column& column : columns) {
    projection.paths_.add(column.path);
  }
  projection.paths_.sort(terms);
  projection.columns_ = std::move(columns);
  projection.terms_ = std::move(terms);
  return projection;
}

void Projection::append_columns(std::string& out, item::ItemView item) const {
  for (const Column& column : columns_) {
    if (const auto value = terms_.resolve(column.path, item)) {
      item::append_attribute(out, column.name, *value);
    }
  }
}

std::vector<std::string_view> Projection::top_level_names() const {
  std::vector<std::string_view> names;
  names.reserve(paths_.size());
  for (const Column& column : columns_) {
    names.push_back(terms_.top_level(column.path));
  }
  for (uint32_t i = 0; columns_.empty() && i < paths_.size(); ++i) {
    names.push_back(terms_.top_level(paths_[i].path));
  }
  return names;
}

}  // namespace waybill::expression
