#include "alarm/webhook.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <utility>

#include "base/bytes.h"
#include "http/sha256.h"

namespace waybill::alarm {
namespace {

constexpr long connect_timeout_ms = 5'000;
constexpr long timeout_ms = 10'000;

struct EasyDeleter {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, ListDeleter>;

// The library's own set-up is not thread-safe.
void initialize_once() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

bool is_http_url(const std::string& url) {
  struct UrlDeleter {
    void operator()(CURLU* parsed) const { curl_url_cleanup(parsed); }
  };
  const std::unique_ptr<CURLU, UrlDeleter> parsed(curl_url());
  char* host = nullptr;
  const bool has_host = curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK &&
                        curl_url_get(parsed.get(), CURLUPART_HOST, &host, 0) == CURLUE_OK;
  curl_free(host);
  return has_host && (url.starts_with("http://") || url.starts_with("https://"));
}

// What the other side says is of no interest, but the connection can be used again only when it is read.
std::size_t discard(const char* /*bytes*/, std::size_t size, std::size_t count, void* /*context*/) {
  return size * count;
}

int stop_if_interrupted(void* context, curl_off_t /*to_read*/, curl_off_t /*read*/, curl_off_t /*to_write*/,
                        curl_off_t /*written*/) {
  return static_cast<std::atomic<bool>*>(context)->load() ? 1 : 0;
}

void add_header(HeaderList& list, const std::string& line) {
  list.reset(curl_slist_append(list.release(), line.c_str()));
}

PostOutcome outcome_of(long status) {
  if (status >= 200 && status < 300) {
    return {};
  }
  constexpr std::array<long, 3> passing = {408, 425, 429};
  const bool may_pass = status >= 500 || std::find(passing.begin(), passing.end(), status) != passing.end();
  return {may_pass ? Posted::failed : Posted::refused, "status " + std::to_string(status)};
}

}  // namespace

struct Webhook::State {
  Options options;
  http::HmacKey key;
  std::unique_ptr<CURL, EasyDeleter> curl;
  std::atomic<bool> interrupted = false;
  std::array<char, CURL_ERROR_SIZE> error{};

  void set_up();
  HeaderList headers(const Notice& notice, const std::string& body) const;
};

// What is the same for every post.
void Webhook::State::set_up() {
  CURL* const handle = curl.get();
  curl_easy_setopt(handle, CURLOPT_URL, options.url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, connect_timeout_ms);
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, timeout_ms);
  curl_easy_setopt(handle, CURLOPT_USERAGENT, "waybill");
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, discard);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error.data());
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, stop_if_interrupted);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &interrupted);
}

HeaderList Webhook::State::headers(const Notice& notice, const std::string& body) const {
  HeaderList list;
  add_header(list, "Content-Type: application/json");
  add_header(list, "Expect:");  // no asking before so short a body
  add_header(list, "x-waybill-notice-id: " + notice.id);
  if (!options.secret.empty()) {
    add_header(list, "x-waybill-signature: sha256=" + hex_lower(http::bytes_of(key.sign(body))));
  }
  return list;
}

Webhook::Webhook(std::unique_ptr<State> state) : state_(std::move(state)) {}

Webhook::~Webhook() = default;

Result<std::unique_ptr<Webhook>> Webhook::open(Options options) {
  initialize_once();
  if (!is_http_url(options.url)) {
    return invalid("--alarm-webhook takes a URL that begins with http:// or https://");
  }
  auto state = std::make_unique<State>();
  state->key = http::HmacKey(options.secret);
  state->options = std::move(options);
  state->curl.reset(curl_easy_init());
  if (state->curl == nullptr) {
    return Error{ErrorKind::unavailable, "libcurl could not be set up", {}};
  }
  state->set_up();
  return std::unique_ptr<Webhook>(new Webhook(std::move(state)));
}

PostOutcome Webhook::post(const Notice& notice) {
  CURL* const handle = state_->curl.get();
  const std::string body = body_of(notice, state_->options.server);
  const HeaderList headers = state_->headers(notice, body);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body.c_str());
  state_->error.front() = '\0';
  const CURLcode code = curl_easy_perform(handle);
  if (code != CURLE_OK) {
    return {Posted::failed, state_->error.front() == '\0' ? curl_easy_strerror(code) : state_->error.data()};
  }
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return outcome_of(status);
}

void Webhook::interrupt() {
  state_->interrupted = true;
}

}  // namespace waybill::alarm
