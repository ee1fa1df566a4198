#include <vector>

#include "api/s3/errors.h"
#include "api/s3/operations.h"
#include "api/s3/xml_reader.h"
#include "bucket/errors.h"
#include "object/names.h"

namespace waybill::api::s3 {
namespace {

constexpr std::size_t objects_max = 1000;

struct Deletion {
  std::vector<std::string> keys;
  bool is_quiet = false;  // tells of failures alone
};

Error malformed() {
  return bucket::refusal(
      "MalformedXML",
      "The XML you provided was not well-formed or did not validate against our published schema");
}

Result<Deletion> parse(const Request& request) {
  WAYBILL_TRY(check_body_checksum(request));
  WAYBILL_TRY_ASSIGN(const auto root, read_xml(request.body));
  Deletion deletion;
  deletion.is_quiet = root.text_of("Quiet") == "true";
  for (const auto& child : root.children) {
    if (child.name == "Object") {
      deletion.keys.emplace_back(child.text_of("Key"));
    }
  }
  if (root.name != "Delete" || deletion.keys.empty() || deletion.keys.size() > objects_max) {
    return malformed();
  }
  return deletion;
}

Status check_key(const Call& call, const std::string& key) {
  WAYBILL_TRY(object::check_key(key));
  return call.check_object(access::Verb::write, call.request().bucket, key);
}

// What became of each key: those that may be removed are, all at once.
Result<std::vector<Status>> remove(const Call& call, const std::vector<std::string>& keys) {
  std::vector<Status> outcomes;
  std::vector<std::string> allowed;
  for (const auto& key : keys) {
    outcomes.push_back(check_key(call, key));
    if (outcomes.back()) {
      allowed.push_back(key);
    }
  }
  WAYBILL_TRY_ASSIGN(auto removed, call.buckets().remove_objects(call.request().bucket, allowed));
  std::size_t next = 0;
  for (auto& outcome : outcomes) {
    outcome = outcome ? std::move(removed[next++]) : std::move(outcome);
  }
  return outcomes;
}

void append_failure(Xml& xml, const std::string& key, const Error& error) {
  xml.open("Error");
  xml.element("Key", key);
  xml.element("Code", error_form(error).code);
  xml.element("Message", told_message(error));
  xml.close("Error");
}

}  // namespace

void delete_objects(Call call) {
  const auto deletion = parse(call.request());
  if (!deletion) {
    call.fail(deletion.error());
    return;
  }
  const auto outcomes = remove(call, deletion->keys);
  if (!outcomes) {
    call.fail(outcomes.error());
    return;
  }
  Xml xml;
  xml.open_root("DeleteResult");
  for (std::size_t i = 0; i < outcomes->size(); ++i) {
    const std::string& key = deletion->keys[i];
    if (!(*outcomes)[i]) {
      append_failure(xml, key, (*outcomes)[i].error());
    } else if (!deletion->is_quiet) {
      xml.open("Deleted");
      xml.element("Key", key);
      xml.close("Deleted");
    }
  }
  xml.close("DeleteResult");
  call.answer_xml(std::move(xml));
}

}  // namespace waybill::api::s3
