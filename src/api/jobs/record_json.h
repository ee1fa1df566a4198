#pragma once

#include <string>

#include "api/jobs/document.h"
#include "contract/model.h"
#include "item/value.h"
#include "job/patch.h"
#include "rules/deployed.h"

// Records between plain JSON and the stored form. Values are what they look like: texts, numbers with all of
// their digits, booleans, lists, maps. Where the contract has a set, an array is one; where it has binary, a
// text is base64. Whether the types are those of the contract is for the rules to say, in the commit.
namespace waybill::api::jobs {

// A whole record; a member that is null is not there. Errors are of kind invalid, detail: the field's path.
Result<item::Item> read_record(const contract::Record& record, const Document& document,
                               const json::Value& object);

// A merge patch (RFC 7396): what is null is to go.
Result<job::Patch> read_patch(const contract::Record& record, const Document& document,
                              const json::Value& object);

void append_plain_json(std::string& out, item::ValueView value);
void append_plain_json(std::string& out, item::ItemView item);

// A record without the key attributes of its table that are none of its fields (PK, SK).
void append_record(std::string& out, const rules::Deployed& contract, const rules::Kind& kind,
                   item::ItemView record);

}  // namespace waybill::api::jobs
