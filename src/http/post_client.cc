#include "http/post_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <utility>

namespace waybill::http {
namespace {

constexpr long connect_timeout_ms = 5'000;
constexpr long timeout_ms = 10'000;
constexpr std::size_t answer_bytes_max = 64 * 1024;

struct EasyDeleter {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct UrlDeleter {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using HeaderList = std::unique_ptr<curl_slist, ListDeleter>;
using Url = std::unique_ptr<CURLU, UrlDeleter>;

// The library's own set-up is not thread-safe.
void initialize_once() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

// "" where the URL has no such part.
std::string part_of(const Url& url, CURLUPart part) {
  char* text = nullptr;
  std::string copy;
  if (curl_url_get(url.get(), part, &text, 0) == CURLUE_OK) {
    copy = text;
  }
  curl_free(text);
  return copy;
}

// What is over the limit is read all the same: only then can the connection be used again.
std::size_t keep_answer(const char* bytes, std::size_t size, std::size_t count, void* context) {
  auto& body = *static_cast<std::string*>(context);
  body.append(bytes, std::min(size * count, answer_bytes_max - body.size()));
  return size * count;
}

int stop_if_interrupted(void* context, curl_off_t /*to_read*/, curl_off_t /*read*/, curl_off_t /*to_write*/,
                        curl_off_t /*written*/) {
  return static_cast<std::atomic<bool>*>(context)->load() ? 1 : 0;
}

void add_header(HeaderList& list, const std::string& line) {
  list.reset(curl_slist_append(list.release(), line.c_str()));
}

}  // namespace

struct PostClient::State {
  std::string url;
  std::string host;
  std::string path;
  std::string query;
  std::unique_ptr<CURL, EasyDeleter> curl;
  std::atomic<bool> interrupted = false;
  std::array<char, CURL_ERROR_SIZE> error{};
  std::string answer;

  bool read_url();
  void set_up();
};

bool PostClient::State::read_url() {
  const Url parsed(curl_url());
  if (!(url.starts_with("http://") || url.starts_with("https://")) ||
      curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) {
    return false;
  }
  host = part_of(parsed, CURLUPART_HOST);
  path = part_of(parsed, CURLUPART_PATH);
  query = part_of(parsed, CURLUPART_QUERY);
  const std::string port = part_of(parsed, CURLUPART_PORT);
  const bool is_usual = port.empty() || port == (url.starts_with("https://") ? "443" : "80");
  const bool has_host = !host.empty();
  host += is_usual ? "" : ":" + port;
  return has_host;
}

// What is the same for every post.
void PostClient::State::set_up() {
  CURL* const handle = curl.get();
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, connect_timeout_ms);
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, timeout_ms);
  curl_easy_setopt(handle, CURLOPT_USERAGENT, "waybill");
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, keep_answer);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &answer);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error.data());
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, stop_if_interrupted);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &interrupted);
}

PostClient::PostClient(std::unique_ptr<State> state) : state_(std::move(state)) {}

PostClient::~PostClient() = default;

const std::string& PostClient::host() const {
  return state_->host;
}

const std::string& PostClient::path() const {
  return state_->path;
}

const std::string& PostClient::query() const {
  return state_->query;
}

Result<std::unique_ptr<PostClient>> PostClient::open(const std::string& url) {
  initialize_once();
  auto state = std::make_unique<State>();
  state->url = url;
  if (!state->read_url()) {
    return invalid("a URL begins with http:// or https:// and has a host");
  }
  state->curl.reset(curl_easy_init());
  if (state->curl == nullptr) {
    return Error{ErrorKind::unavailable, "libcurl could not be set up", {}};
  }
  state->set_up();
  return std::unique_ptr<PostClient>(new PostClient(std::move(state)));
}

Result<PostAnswer> PostClient::post(const std::vector<std::string>& headers, std::string_view body) {
  CURL* const handle = state_->curl.get();
  HeaderList list;
  add_header(list, "Expect:");  // no asking before a body
  for (const auto& line : headers) {
    add_header(list, line);
  }
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list.get());
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body.empty() ? "" : body.data());
  state_->error.front() = '\0';
  state_->answer.clear();
  const CURLcode code = curl_easy_perform(handle);
  if (code != CURLE_OK) {
    const bool says_why = state_->error.front() != '\0';
    return Error{ErrorKind::unavailable, says_why ? state_->error.data() : curl_easy_strerror(code), {}};
  }
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return PostAnswer{static_cast<int>(status), std::move(state_->answer)};
}

void PostClient::interrupt() {
  state_->interrupted = true;
}

bool may_pass(int status) {
  return status >= 500 || status == 408 || status == 425 || status == 429;
}

}  // namespace waybill::http
