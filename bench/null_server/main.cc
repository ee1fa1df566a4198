// Answers GetItem with a constant: our HTTP layer, and nothing behind it. No server of ours can be faster, so
// what Waybill adds to this is the cost of being a database.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <iostream>
#include <optional>
#include <string>
#include <thread>

#include "base/entropy.h"
#include "http/server.h"
#include "load/job_json.h"

namespace {

namespace http = waybill::http;
namespace load = waybill::load;

constexpr int failure = 1;
constexpr int usage_error = 2;

// To be called before any thread is started: they inherit it.
sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

std::string item_answer() {
  load::Job job;
  load::make_job({1'000'000, 50'000}, 4711, job);
  load::OutBuffer out;
  out.add(R"({"Item":)");
  load::add_item_json(out, job, load::JobStatus::completed, load::first_updated_at_ms(job));
  return std::string(out.add('}').view());
}

// The headers of Waybill's own answers, request id and checksum among them.
http::Response response_with(std::string body) {
  static waybill::SystemEntropy entropy;
  http::Response response;
  response.content_type = "application/x-amz-json-1.0";
  response.body = std::move(body);
  response.request_id = waybill::make_request_id(entropy);
  response.amz_crc32 = true;
  return response;
}

// As `waybill serve` has them, but for the words of its errors, which nobody provokes here. Nullopt: `listen`
// is not HOST:PORT.
std::optional<http::ServerOptions> options_for(const std::string& listen, int threads) {
  http::ServerOptions options;
  const auto colon = listen.rfind(':');
  if (colon == listen.npos) {
    return std::nullopt;
  }
  options.host = listen.substr(0, colon);
  const char* const digits_end = listen.data() + listen.size();
  const auto [end, error] = std::from_chars(listen.data() + colon + 1, digits_end, options.port);
  if (error != std::errc() || end != digits_end) {
    return std::nullopt;
  }
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  options.threads = threads > 0 ? threads : std::max(processors, 1);
  return options;
}

int fail(std::string_view why, int code) {
  std::cerr << "waybill_null_server: " << why << "\n";
  return code;
}

int serve(const std::string& listen, int threads) {
  const auto options = options_for(listen, threads);
  if (!options) {
    return fail("--listen takes HOST:PORT", usage_error);
  }
  const auto stop_signals = block_stop_signals();
  const auto answer = item_answer();
  const auto handle = [&answer](const http::Request& request, http::Responder responder) {
    responder.send(response_with(request.header("x-amz-target").ends_with(".GetItem") ? answer : "{}"));
  };
  const auto server = http::Server::listen(*options, handle);
  if (!server) {
    return fail(server.error().message, failure);
  }
  std::cout << "waybill_null_server listens on " << options->host << ":" << (*server)->port() << "\n"
            << std::flush;
  int received = 0;
  sigwait(&stop_signals, &received);
  (*server)->stop();
  (*server)->join();
  return 0;
}

}  // namespace

int main(int count, char** values) {
  std::string listen = "127.0.0.1:8000";
  int threads = 0;
  CLI::App app("Waybill's HTTP layer with a constant answer to GetItem", "waybill_null_server");
  app.add_option("--listen", listen, "Address and port")->type_name("HOST:PORT")->capture_default_str();
  app.add_option("--threads", threads, "Threads for connections; 0: one for each processor")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  try {
    app.parse(count, values);
    return serve(listen, threads);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : usage_error;
  } catch (const std::exception& error) {
    return fail(error.what(), failure);
  }
}
