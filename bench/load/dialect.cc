#include "load/dialect.h"

#include "load/dynamo_dialect.h"
#include "load/jobs_dialect.h"
#include "load/postgres_dialect.h"
#include "load/sqs_dialect.h"

namespace waybill::load {

std::unique_ptr<Dialect> make_dialect(const DialectOptions& options) {
  switch (options.target.protocol) {
    case Protocol::postgres:
      return std::make_unique<PostgresDialect>(options);
    case Protocol::sqs:
      return std::make_unique<SqsDialect>(options);
    case Protocol::jobs:
      return std::make_unique<JobsDialect>(options);
    case Protocol::dynamodb:
      break;
  }
  return std::make_unique<DynamoDialect>(options);
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t bytes_max = 600;
  std::string cut(text.substr(0, bytes_max));
  for (char& c : cut) {
    c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return text.size() > bytes_max ? cut + "..." : cut;
}

}  // namespace waybill::load
