#include "cli/banner.h"

#include "cli/version.h"

namespace waybill::cli {
namespace {

// A client on this machine can't connect to "all addresses".
std::string reachable_host(const std::string& host) {
  if (host == "0.0.0.0") {
    return "127.0.0.1";
  }
  if (host == "::") {
    return "[::1]";
  }
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

}  // namespace

std::string banner(const server::Config& config, uint16_t port) {
  std::string text = std::string("waybill ") + version + " listens on " + config.host + ":" +
                     std::to_string(port) + ", data in " + config.data_dir + "\n";
  if (config.relaxed_durability) {
    text +=
        "\n*** --durability relaxed: answers do NOT wait for the disk. What was answered last can be lost "
        "in a crash. For tests only. ***\n";
  }
  text += "\nPoint an AWS client at it:\n\n  export AWS_ENDPOINT_URL=http://" + reachable_host(config.host) +
          ":" + std::to_string(port) + "\n";
  text += "  export AWS_REGION=" + config.region + " AWS_DEFAULT_REGION=" + config.region + "\n";
  if (config.keys_file.empty()) {
    text +=
        "  export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any   # any credentials pass on this address\n";
  } else {
    text += "  export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…       # one of the keys in " +
            config.keys_file + "\n";
  }
  text +=
      "\nThen try:\n\n"
      "  aws dynamodb create-table --table-name jobs --billing-mode PAY_PER_REQUEST \\\n"
      "    --attribute-definitions AttributeName=job_id,AttributeType=S \\\n"
      "    --key-schema AttributeName=job_id,KeyType=HASH\n"
      "  aws dynamodb put-item --table-name jobs --item "
      "'{\"job_id\":{\"S\":\"1\"},\"status\":{\"S\":\"queued\"}}'\n"
      "  aws dynamodb scan --table-name jobs\n\n";
  return text;
}

}  // namespace waybill::cli
