#include "api/dynamodb/errors.h"

#include <gtest/gtest.h>

namespace waybill::api::dynamodb {
namespace {

TEST(Errors, HaveTheServicesForm) {
  EXPECT_EQ(error_body(invalid("no \"x\"")),
            R"({"__type":"com.amazon.coral.validate#ValidationException","message":"no \"x\""})");
  EXPECT_EQ(error_body(Error{ErrorKind::malformed, "bad", {}}),
            R"({"__type":"com.amazon.coral.service#SerializationException","Message":"bad"})");
  EXPECT_EQ(error_body(Error{ErrorKind::malformed, "", "operator's"}),
            R"({"__type":"com.amazon.coral.service#SerializationException"})");
  EXPECT_EQ(error_body("TableNotFoundException", "x"),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#TableNotFoundException","message":"x"})");
}

TEST(Errors, OfOurOwnSayNothingOfTheInside) {
  const auto body = error_body(Error{ErrorKind::internal, "path /secret", "detail"});
  EXPECT_EQ(body.find("secret"), std::string::npos);
  EXPECT_EQ(error_form(ErrorKind::corruption).status, 500);
}

}  // namespace
}  // namespace waybill::api::dynamodb
