#pragma once

#include "store/rules.h"

// What comes with changes of buckets, objects, uploads and parts, inside their commits. Contents are freed by
// a row that says so, and taken away once that is on disk (collector.h): so a crash leaves nothing behind,
// and never an object without its content.
namespace waybill::bucket {

// A bucket that has objects is not removed: Error in_use, see bucket_not_empty().
store::RulesPtr bucket_rules();

// Objects are counted; the content of one that goes, or is replaced, is freed; who waits for one that comes
// is told (rules/arrival.h).
store::RulesPtr object_rules();

// An upload that is completed, aborted or given up frees its parts.
store::RulesPtr upload_rules();

// A part that goes, or is replaced, frees its content.
store::RulesPtr part_rules();

}  // namespace waybill::bucket
