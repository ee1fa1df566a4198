#include <utility>

#include "api/dynamodb/fields.h"
#include "api/dynamodb/new_table.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/transfer_description.h"
#include "transfer/csv.h"
#include "transfer/table_parameters.h"
#include "transfer/transfers.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t prefix_length_max = 1024;
constexpr std::size_t header_names_max = 255;
constexpr std::size_t header_name_length_max = 65'536;

struct Request {
  table::Table table;
  transfer::Import job;
};

struct Given {
  std::optional<std::string_view> token;
  bool has_source = false;
  std::optional<std::string_view> bucket;
  std::optional<std::string_view> owner;
  std::optional<std::string_view> prefix;
  std::optional<std::string_view> format;
  std::optional<std::string_view> delimiter;
  std::optional<std::vector<std::string_view>> header;
  std::optional<std::string_view> compression;
  std::optional<Fields> parameters;
};

void read_csv_options(const Fields& fields, Given& given) {
  const auto options = fields.structure("InputFormatOptions", "InputFormatOptions");
  const auto csv = options ? options->structure("Csv", "CsvOptions") : std::nullopt;
  if (csv) {
    given.delimiter = csv->string("Delimiter");
    given.header = csv->strings("HeaderList");
  }
}

Given read(const Fields& fields) {
  Given given;
  given.token = fields.string("ClientToken");
  if (const auto source = fields.structure("S3BucketSource", "S3BucketSource")) {
    given.has_source = true;
    given.owner = source->string("S3BucketOwner");
    given.bucket = source->string("S3Bucket");
    given.prefix = source->string("S3KeyPrefix");
  }
  given.format = fields.string("InputFormat");
  read_csv_options(fields, given);
  given.compression = fields.string("InputCompressionType");
  given.parameters = fields.structure("TableCreationParameters", "TableCreationParameters");
  return given;
}

void check_header(Constraints& constraints, const std::vector<std::string_view>& header) {
  const std::string path = "inputFormatOptions.csv.headerList";
  if (header.empty()) {
    constraints.violated(path, "[]", length_at_least(1));
  }
  if (header.size() > header_names_max) {
    constraints.violated(path, length_at_most(header_names_max));
  }
  for (const auto name : header) {
    if (name.empty() || name.size() > header_name_length_max) {
      constraints.violated(path, name, "Member must have a length between 1 and 65536");
    }
  }
}

Status check(const Given& given) {
  Constraints constraints;
  constraints.not_null("s3BucketSource", given.has_source);
  if (given.has_source) {
    check_bucket_owner(constraints, "s3BucketSource.s3BucketOwner", given.owner);
    check_bucket(constraints, "s3BucketSource.s3Bucket", given.bucket);
    constraints.length_max("s3BucketSource.s3KeyPrefix", given.prefix, prefix_length_max);
  }
  constraints.not_null("inputFormat", given.format);
  constraints.one_of("inputFormat", given.format, {"DYNAMODB_JSON", "ION", "CSV"});
  if (given.delimiter &&
      (given.delimiter->size() != 1 ||
       transfer::csv_delimiters.find(given.delimiter->front()) == std::string_view::npos)) {
    constraints.violated("inputFormatOptions.csv.delimiter", *given.delimiter,
                         R"(Member must satisfy regular expression pattern: [,;:|\t ])");
  }
  if (given.header) {
    check_header(constraints, *given.header);
  }
  constraints.one_of("inputCompressionType", given.compression, {"GZIP", "ZSTD", "NONE"});
  constraints.not_null("tableCreationParameters", given.parameters);
  WAYBILL_TRY(constraints.status());
  if (given.format == "ION") {
    return invalid("InputFormat ION is not available. Use DYNAMODB_JSON or CSV");
  }
  if (given.format != "CSV" && (given.delimiter || given.header)) {
    return invalid("InputFormatOptions.Csv can only be given where InputFormat is CSV");
  }
  return {};
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) {
    text.append(std::to_string(name.size())).append(":").append(name);
  }
  return text;
}

Result<Request> parse(const Services& services, const json::Value& body) {
  Reading reading;
  const auto given = read(Fields(body, reading));
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY(check(given));
  WAYBILL_TRY_ASSIGN(auto made, make_new_table(services, given.parameters->object()));
  Request request;
  request.table = std::move(made.table);
  auto& job = request.job;
  job.client_token = given.token.value_or("");
  job.bucket = *given.bucket;
  job.bucket_owner = given.owner.value_or("");
  job.prefix = given.prefix.value_or("");
  // What the prefix begins with need not be a whole name: it is looked for in the bucket.
  WAYBILL_TRY(services.transfers->buckets().folder(job.bucket, job.prefix));
  WAYBILL_TRY_ASSIGN(job.folder, services.transfers->buckets().folder(job.bucket, {}));
  job.format = *given.format;
  job.compression = given.compression.value_or("NONE");
  if (job.format == "CSV") {
    job.csv_delimiter = given.delimiter.value_or(",");
  }
  if (given.header) {
    job.csv_header.assign(given.header->begin(), given.header->end());
  }
  job.parameters = transfer::table_parameters(request.table);
  job.table_arn = services.table_arn(request.table.name);
  job.fingerprint = fingerprint({job.bucket, job.bucket_owner, job.prefix, job.format, job.compression,
                                 job.csv_delimiter, joined(job.csv_header), job.parameters});
  return request;
}

}  // namespace

void import_table(Call call, const json::Value& body) {
  auto request = parse(call.services(), body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto& transfers = *call.services().transfers;
  transfers.begin_import(std::move(request->table), std::move(request->job),
                         [call = std::move(call)](Result<transfer::ImportPtr> begun) mutable {
                           Call::resume(std::move(call), [begun = std::move(begun)](Call back) {
                             back.answer(begun ? Result<std::string>(import_description(**begun))
                                               : Result<std::string>(begun.error()));
                           });
                         });
}

}  // namespace waybill::api::dynamodb
