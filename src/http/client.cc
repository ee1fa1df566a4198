#include "http/client.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "base/clock.h"

namespace waybill::http {
namespace {

constexpr int status_ok = 200;

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

// The library's own set-up is not thread-safe.
void initialize_once() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

std::string host_of(const std::string& url) {
  const std::unique_ptr<CURLU, UrlDeleter> parsed(curl_url());
  char* text = nullptr;
  std::string host;
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK &&
      curl_url_get(parsed.get(), CURLUPART_HOST, &text, 0) == CURLUE_OK) {
    host = text;
  }
  curl_free(text);
  return host;
}

bool is_one_line(const std::string& header) {
  return std::ranges::none_of(
      header, [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f'; });
}

Status check(const ClientRequest& request) {
  if (!(request.url.starts_with("http://") || request.url.starts_with("https://")) ||
      host_of(request.url).empty()) {
    return invalid("a URL begins with http:// or https:// and has a host");
  }
  for (const auto& header : request.headers) {
    if (!is_one_line(header)) {
      return invalid("the header " + header.substr(0, header.find(':')) + " may not have control characters");
    }
  }
  return {};
}

HeaderList list_of(const std::vector<std::string>& headers) {
  HeaderList list(curl_slist_append(nullptr, "Expect:"));  // no asking before a body
  for (const auto& line : headers) {
    list.reset(curl_slist_append(list.release(), line.c_str()));
  }
  return list;
}

}  // namespace

struct Client::State {
  Limits limits;
  std::unique_ptr<CURL, EasyDeleter> curl;
  std::array<char, CURL_ERROR_SIZE> error{};
  SystemClock clock;

  // Of the request under way.
  ClientAnswer answer;
  const OnBytes* on_bytes = nullptr;  // none: the body is kept
  bool enough = false;                // on_bytes wants no more
  int64_t heard_ms = 0;               // when bytes last came

  bool take(std::string_view bytes);
  bool is_silent() const;
  void set_up(const ClientRequest& request, const HeaderList& headers);
  Result<ClientAnswer> perform(const ClientRequest& request);

  static std::size_t take_bytes(const char* bytes, std::size_t size, std::size_t count, void* context) {
    const bool is_taken = static_cast<State*>(context)->take({bytes, size * count});
    return is_taken ? size * count : CURL_WRITEFUNC_ERROR;
  }
  static int stop_if_silent(void* context, curl_off_t /*to_read*/, curl_off_t /*read*/,
                            curl_off_t /*to_write*/, curl_off_t /*written*/) {
    return static_cast<State*>(context)->is_silent() ? 1 : 0;
  }
};

bool Client::State::take(std::string_view bytes) {
  heard_ms = clock.steady_ms();
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  if (on_bytes != nullptr && status == status_ok) {
    enough = !(*on_bytes)(bytes);
    return !enough;
  }
  if (answer.body.size() + bytes.size() > body_bytes_max) {
    return false;
  }
  answer.body.append(bytes);
  return true;
}

bool Client::State::is_silent() const {
  return on_bytes != nullptr && clock.steady_ms() - heard_ms > limits.silence_ms;
}

void Client::State::set_up(const ClientRequest& request, const HeaderList& headers) {
  CURL* const handle = curl.get();
  curl_easy_reset(handle);  // connections stay
  curl_easy_setopt(handle, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_USERAGENT, "waybill");
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect_ms));
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS,
                   on_bytes == nullptr ? static_cast<long>(limits.answer_ms) : 0L);
  if (is_loopback_url(request.url)) {
    curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
  }
  if (request.method != "GET") {
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.c_str());
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error.data());
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, stop_if_silent);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, this);
}

Result<ClientAnswer> Client::State::perform(const ClientRequest& request) {
  WAYBILL_TRY(check(request));
  const auto headers = list_of(request.headers);
  answer = {};
  enough = false;
  heard_ms = clock.steady_ms();
  error.front() = '\0';
  set_up(request, headers);
  const CURLcode code = curl_easy_perform(curl.get());
  if (code == CURLE_ABORTED_BY_CALLBACK) {
    return Error{ErrorKind::unavailable, "the connection fell silent", {}};
  }
  if (code != CURLE_OK && !enough) {
    const bool says_why = error.front() != '\0';
    return Error{ErrorKind::unavailable, says_why ? error.data() : curl_easy_strerror(code), {}};
  }
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  return std::move(answer);
}

Client::Client(std::unique_ptr<State> state) : state_(std::move(state)) {}

Client::~Client() = default;

Result<std::unique_ptr<Client>> Client::open(const Limits& limits) {
  initialize_once();
  auto state = std::make_unique<State>();
  state->limits = limits;
  state->curl.reset(curl_easy_init());
  if (state->curl == nullptr) {
    return Error{ErrorKind::unavailable, "libcurl could not be set up", {}};
  }
  return std::unique_ptr<Client>(new Client(std::move(state)));
}

Result<ClientAnswer> Client::send(const ClientRequest& request) {
  state_->on_bytes = nullptr;
  return state_->perform(request);
}

Result<ClientAnswer> Client::follow(const ClientRequest& request, const OnBytes& on_bytes) {
  state_->on_bytes = &on_bytes;
  return state_->perform(request);
}

bool is_loopback_url(const std::string& url) {
  const auto host = host_of(url);
  const bool is_numbers = host.find_first_not_of("0123456789.") == std::string::npos;
  return host == "localhost" || host == "[::1]" || (is_numbers && host.starts_with("127."));
}

}  // namespace waybill::http
