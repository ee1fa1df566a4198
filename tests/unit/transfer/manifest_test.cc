#include "transfer/manifest.h"

#include <gtest/gtest.h>

#include "transfer/digest.h"

namespace waybill::transfer {
namespace {

TEST(Manifest, AFileIsALine) {
  EXPECT_EQ(base64(md5("")), "1B2M2Y8AsgTpgAmY7PhCfg==");
  const DataFile file{"p/AWSDynamoDB/id/data/000001-x.json.gz", 7, md5("")};
  const auto line = manifest_line(file);
  EXPECT_EQ(line, R"({"itemCount":7,"md5Checksum":"1B2M2Y8AsgTpgAmY7PhCfg==",)"
                  R"("etag":"d41d8cd98f00b204e9800998ecf8427e-1",)"
                  R"("dataFileS3Key":"p/AWSDynamoDB/id/data/000001-x.json.gz"})"
                  "\n");
  const auto read = read_manifest(line + line);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(read->front().key, file.key);
  EXPECT_EQ(read->front().items, 7);
  EXPECT_EQ(read->front().md5, file.md5);
  EXPECT_TRUE(read_manifest("")->empty());
  EXPECT_FALSE(read_manifest("{}\n"));
  EXPECT_FALSE(read_manifest("nonsense\n"));
}

TEST(Manifest, SummaryAsTheServiceWritesIt) {
  const Summary summary{
      "arn:e", "arn:t", "id", 1604474914028, 1604475223897, 1604474914000, "bucket", "", "", "", "k", 5, 2};
  EXPECT_EQ(
      summary_text(summary),
      R"({"version":"2020-06-30","exportArn":"arn:e","startTime":"2020-11-04T07:28:34.028Z",)"
      R"("endTime":"2020-11-04T07:33:43.897Z","tableArn":"arn:t","tableId":"id",)"
      R"("exportTime":"2020-11-04T07:28:34.000Z","s3Bucket":"bucket","s3Prefix":null,)"
      R"("s3SseAlgorithm":"AES256","s3SseKmsKeyId":null,"manifestFilesS3Key":"k",)"
      R"("billedSizeBytes":5,"itemCount":2,"outputFormat":"DYNAMODB_JSON","exportType":"FULL_EXPORT"})");
}

}  // namespace
}  // namespace waybill::transfer
