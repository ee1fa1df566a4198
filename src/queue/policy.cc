#include "queue/policy.h"

#include "base/json.h"
#include "queue/settings.h"

namespace waybill::queue {
namespace {

constexpr std::string_view statements_key = "Statement";

void append_value(json::Writer& out, const json::Value& value);

void append_object(json::Writer& out, const json::Value& object) {
  out.begin_object();
  for (json::Members members(object); members.next();) {
    out.key(members.key());
    append_value(out, members.value());
  }
  out.end_object();
}

void append_array(json::Writer& out, const json::Value& array) {
  out.begin_array();
  for (json::Elements elements(array); elements.next();) {
    append_value(out, elements.value());
  }
  out.end_array();
}

void append_number(json::Writer& out, const json::Value& number) {
  if (const auto whole = number.integer()) {
    out.integer(*whole);
  } else {
    out.real(number.number());
  }
}

void append_value(json::Writer& out, const json::Value& value) {
  switch (value.type()) {
    case json::Type::object:
      return append_object(out, value);
    case json::Type::array:
      return append_array(out, value);
    case json::Type::string:
      out.string(value.string());
      return;
    case json::Type::number:
      return append_number(out, value);
    case json::Type::boolean:
      out.boolean(value.boolean());
      return;
    case json::Type::null:
      out.raw("null");
      return;
  }
}

// One of them stands by itself, several in a list.
void append_one_or_more(json::Writer& out, const std::vector<std::string>& texts) {
  if (texts.size() == 1) {
    out.string(texts.front());
    return;
  }
  out.begin_array();
  for (const auto& text : texts) {
    out.string(text);
  }
  out.end_array();
}

void append_statement(json::Writer& out, std::string_view queue_arn, const Permission& permission) {
  std::vector<std::string> principals;
  principals.reserve(permission.account_ids.size());
  for (const auto& id : permission.account_ids) {
    principals.push_back("arn:aws:iam::" + id + ":root");
  }
  std::vector<std::string> actions;
  actions.reserve(permission.actions.size());
  for (const auto& action : permission.actions) {
    actions.push_back("SQS:" + action);
  }
  out.begin_object().key("Sid").string(permission.label).key("Effect").string("Allow");
  out.key("Principal").begin_object().key("AWS");
  append_one_or_more(out, principals);
  out.end_object().key("Action");
  append_one_or_more(out, actions);
  out.key("Resource").string(queue_arn).end_object();
}

bool has_label(const json::Value& statement, std::string_view label) {
  const auto id = statement.is_object() ? statement.find("Sid") : std::nullopt;
  return id && id->is_string() && id->string() == label;
}

// A policy may have one statement that is not in a list.
std::vector<json::Value> statements_of(const json::Value& policy) {
  std::vector<json::Value> statements;
  const auto found = policy.find(statements_key);
  if (found && found->is_array()) {
    for (json::Elements elements(*found); elements.next();) {
      statements.push_back(elements.value());
    }
  } else if (found) {
    statements.push_back(*found);
  }
  return statements;
}

std::string empty_policy(std::string_view queue_arn) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("Version").string("2008-10-17");
  out.key("Id").string(std::string(queue_arn) + "/SQSDefaultPolicy");
  out.key(statements_key).begin_array().end_array().end_object();
  return text;
}

// The policy with its statements written by `append_statements`.
template <typename Append>
std::string rewritten(const json::Value& policy, Append append_statements) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  for (json::Members members(policy); members.next();) {
    if (members.key() != statements_key) {
      out.key(members.key());
      append_value(out, members.value());
    }
  }
  out.key(statements_key).begin_array();
  append_statements(out);
  out.end_array().end_object();
  return text;
}

Result<json::Value> parse(json::Parser& parser, std::string_view text) {
  auto policy = parser.parse_copy(text);
  if (!policy || !policy->is_object()) {
    return Error{ErrorKind::attribute_invalid, "Invalid value for the parameter Policy.", {}};
  }
  return policy;
}

}  // namespace

Result<std::string> add_permission(std::string_view policy, std::string_view queue_arn,
                                   const Permission& permission) {
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto current,
                     parse(parser, policy.empty() ? empty_policy(queue_arn) : std::string(policy)));
  const auto statements = statements_of(current);
  for (const auto& statement : statements) {
    if (has_label(statement, permission.label)) {
      return invalid_value(permission.label, "Label", "Already exists.");
    }
  }
  return rewritten(current, [&](json::Writer& out) {
    for (const auto& statement : statements) {
      append_value(out, statement);
    }
    append_statement(out, queue_arn, permission);
  });
}

Result<std::string> remove_permission(std::string_view policy, std::string_view label) {
  const auto none = [label] { return invalid_value(label, "Label", "can't find label on existing policy."); };
  if (policy.empty()) {
    return none();
  }
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto current, parse(parser, policy));
  const auto statements = statements_of(current);
  std::size_t kept = 0;
  auto text = rewritten(current, [&](json::Writer& out) {
    for (const auto& statement : statements) {
      if (!has_label(statement, label)) {
        append_value(out, statement);
        ++kept;
      }
    }
  });
  if (kept == statements.size()) {
    return none();
  }
  return kept == 0 ? std::string() : std::move(text);
}

}  // namespace waybill::queue
