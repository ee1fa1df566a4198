#pragma once

#include <string>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "depot/bucket_client.h"

// Whose the contents at a location are. Two servers that used the same one would take away each other's
// contents, and a server that used another one than before would not find its own. So the location has an
// object that names its server, `waybill-owner`, and the server has a file in its data directory:
//
//   file := "owner " id LF "place s3://bucket/prefix" LF
//
// The mark is an object like any other: who copies all of a location takes it along.
namespace waybill::depot {

inline constexpr std::string_view mark_key = "waybill-owner";

struct ClaimOptions {
  std::string file;    // in the data directory
  std::string folder;  // where contents lie that are not in S3
  Entropy& entropy;
  const Clock& clock;
};

// Error invalid where the location cannot be used by this server; its message says why, and what to do.
Status claim(BucketClient& bucket, const ClaimOptions& options);

// For a server that is to use its folder: Error invalid where its contents are in S3.
Status check_not_elsewhere(const std::string& file);

}  // namespace waybill::depot
