#include "server/workers.h"

#include <array>
#include <string>
#include <utility>

#include "base/bytes.h"

namespace waybill::server {
namespace {

constexpr const char* worker_key_id = "waybill-built-in-workers";
constexpr std::size_t secret_bytes = 32;
// What the workers of a server that was killed have begun goes on so soon after it is back.
constexpr int64_t lease_s = 10;

// Where this machine reaches a server that listens on `host`.
std::string own_address(const std::string& host, uint16_t port) {
  std::string reached = host;
  if (host == "0.0.0.0") {
    reached = "127.0.0.1";
  } else if (host == "::") {
    reached = "::1";
  }
  const bool is_ipv6 = reached.find(':') != std::string::npos;
  return "http://" + (is_ipv6 ? "[" + reached + "]" : reached) + ":" + std::to_string(port);
}

}  // namespace

http::SigningKey make_worker_key(http::SignatureOptions& signatures, Entropy& entropy) {
  std::array<char, secret_bytes> chance{};
  entropy.fill(chance.data(), chance.size());
  const http::SigningKey key{worker_key_id, hex_lower({chance.data(), chance.size()})};
  if (!signatures.accept_any) {
    signatures.keys.push_back({key.id, key.secret});
  }
  return key;
}

Result<std::unique_ptr<worker::Crew>> start_workers(const Config& config, uint16_t port,
                                                    const http::SigningKey& key, const WorkerTools& tools) {
  if (config.workers && config.workers->empty()) {
    return std::unique_ptr<worker::Crew>();
  }
  client::Connection own;
  own.endpoint = own_address(config.host, port);
  own.key = key;
  own.region = config.region;
  own.clock = tools.clock;
  worker::Crew::Options options;
  options.jobs = own;
  options.objects = own;
  options.own_objects = tools.objects;
  options.entropy = tools.entropy;
  options.only = config.workers;
  options.lease_s = lease_s;
  options.folder_parent = config.data_dir + "/work";
  options.studio = {"/proc/self/exe", "internal", "media"};
  options.workflows = config.workflows;
  options.guard = {"/proc/self/exe", "internal", "guard"};
  return worker::Crew::start(options);
}

}  // namespace waybill::server
