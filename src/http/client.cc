#include "http/client.h"

#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <mutex>
#include <utility>

#include "base/clock.h"

namespace waybill::http {
namespace {

constexpr int status_ok = 200;
constexpr int status_partial = 206;
constexpr int poll_ms_max = 1'000;
constexpr long follow_buffer_bytes = 128 * 1024;  // of bodies that may be large, for one read

struct EasyDeleter {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
struct MultiDeleter {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
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
  std::unique_ptr<CURLM, MultiDeleter> multi;  // keeps the connections, and can be woken
  std::unique_ptr<CURL, EasyDeleter> curl;
  std::array<char, CURL_ERROR_SIZE> error{};
  SystemClock clock;

  // Of the request under way.
  ClientAnswer answer;
  const OnBytes* on_bytes = nullptr;  // none: the body is kept
  const ClientRequest* request = nullptr;
  bool has_begun = false;   // bytes were handed over
  bool enough = false;      // on_bytes wants no more
  FileBody file;            // what is sent
  int64_t sent_bytes = 0;   // of it
  int64_t moved_bytes = 0;  // both ways, as was last heard
  int64_t heard_ms = 0;     // when bytes last moved
  bool is_bounded_by_silence = false;
  bool fell_silent = false;
  bool file_ended = false;  // before all was sent
  bool is_too_large = false;

  bool take(std::string_view bytes);
  void take_header(std::string_view line);
  std::size_t give(char* to, std::size_t room);
  bool is_silent(int64_t moved);
  void set_up(const HeaderList& headers);
  void set_up_body();
  CURLcode run();
  Result<ClientAnswer> perform(const ClientRequest& wanted);

  static std::size_t take_bytes(const char* bytes, std::size_t size, std::size_t count, void* context) {
    const bool is_taken = static_cast<State*>(context)->take({bytes, size * count});
    return is_taken ? size * count : CURL_WRITEFUNC_ERROR;
  }
  static std::size_t take_header_line(const char* bytes, std::size_t size, std::size_t count, void* context) {
    static_cast<State*>(context)->take_header({bytes, size * count});
    return size * count;
  }
  static std::size_t give_bytes(char* to, std::size_t size, std::size_t count, void* context) {
    return static_cast<State*>(context)->give(to, size * count);
  }
  static int go_back(void* context, curl_off_t offset, int origin) {
    static_cast<State*>(context)->sent_bytes = offset;
    return origin == SEEK_SET ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
  }
  static int stop_if_silent(void* context, curl_off_t /*to_read*/, curl_off_t read, curl_off_t /*to_write*/,
                            curl_off_t written) {
    return static_cast<State*>(context)->is_silent(read + written) ? 1 : 0;
  }
};

bool Client::State::take(std::string_view bytes) {
  heard_ms = clock.steady_ms();
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  if (on_bytes != nullptr && (status == status_ok || status == status_partial)) {
    if (!std::exchange(has_begun, true) && request->on_head) {
      answer.status = static_cast<int>(status);
      request->on_head(answer);
    }
    enough = !(*on_bytes)(bytes);
    return !enough;
  }
  if (answer.body.size() + bytes.size() > limits.kept_bytes_max) {
    is_too_large = true;
    return false;
  }
  answer.body.append(bytes);
  return true;
}

// An answer that is not the last one (100, of a proxy) has headers as well: a status line begins anew.
void Client::State::take_header(std::string_view line) {
  if (line.starts_with("HTTP/")) {
    answer.headers.clear();
    return;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) {
    return;
  }
  std::string name(line.substr(0, colon));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  auto value = line.substr(colon + 1);
  constexpr std::string_view blank = " \t\r\n";
  value.remove_prefix(std::min(value.find_first_not_of(blank), value.size()));
  value = value.substr(0, value.find_last_not_of(blank) + 1);
  answer.headers.emplace_back(std::move(name), value);
}

std::size_t Client::State::give(char* to, std::size_t room) {
  const auto wanted = std::min<std::size_t>(room, static_cast<std::size_t>(file.bytes - sent_bytes));
  for (;;) {
    const auto got = ::pread(file.descriptor, to, wanted, sent_bytes);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    // A file that is shorter than announced ends the request: less would be taken for all of it.
    if (got < 0 || (got == 0 && wanted > 0)) {
      file_ended = true;
      return CURL_READFUNC_ABORT;
    }
    sent_bytes += got;
    return static_cast<std::size_t>(got);
  }
}

bool Client::State::is_silent(int64_t moved) {
  if (moved != moved_bytes) {
    moved_bytes = moved;
    heard_ms = clock.steady_ms();
  }
  fell_silent = is_bounded_by_silence && clock.steady_ms() - heard_ms > limits.silence_ms;
  return fell_silent;
}

void Client::State::set_up_body() {
  CURL* const handle = curl.get();
  if (request->file) {
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request->file->bytes));
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, give_bytes);
    curl_easy_setopt(handle, CURLOPT_READDATA, this);
    curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, go_back);
    curl_easy_setopt(handle, CURLOPT_SEEKDATA, this);
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method.c_str());
  } else if (request->method == "HEAD") {
    curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
  } else if (request->method != "GET") {
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request->body.size()));
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request->body.c_str());
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method.c_str());
  }
}

void Client::State::set_up(const HeaderList& headers) {
  CURL* const handle = curl.get();
  curl_easy_reset(handle);  // connections stay
  curl_easy_setopt(handle, CURLOPT_URL, request->url.c_str());
  curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);  // names of objects may have dots
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_USERAGENT, "waybill");
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect_ms));
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS,
                   is_bounded_by_silence ? 0L : static_cast<long>(limits.answer_ms));
  if (is_loopback_url(request->url)) {
    curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
  }
  if (on_bytes != nullptr) {
    curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, follow_buffer_bytes);
  }
  set_up_body();
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header_line);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error.data());
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, stop_if_silent);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, this);
}

// Driven by hand, and not by curl_easy_perform(), so that whoever stops it is heard at once.
CURLcode Client::State::run() {
  const std::stop_token& stop = request->stop;
  const std::stop_callback wake(stop, [this] { curl_multi_wakeup(multi.get()); });
  CURLcode code = CURLE_ABORTED_BY_CALLBACK;
  if (curl_multi_add_handle(multi.get(), curl.get()) != CURLM_OK) {
    return CURLE_FAILED_INIT;
  }
  int running = 1;
  while (!stop.stop_requested() && curl_multi_perform(multi.get(), &running) == CURLM_OK && running > 0) {
    curl_multi_poll(multi.get(), nullptr, 0, poll_ms_max, nullptr);
  }
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(multi.get(), &left)) {
    if (message->msg == CURLMSG_DONE) {
      code = message->data.result;
    }
  }
  curl_multi_remove_handle(multi.get(), curl.get());
  return code;
}

Result<ClientAnswer> Client::State::perform(const ClientRequest& wanted) {
  request = &wanted;
  has_begun = false;
  WAYBILL_TRY(check(wanted));
  const auto headers = list_of(wanted.headers);
  answer = {};
  enough = false;
  file = wanted.file.value_or(FileBody());
  sent_bytes = 0;
  moved_bytes = 0;
  is_bounded_by_silence = on_bytes != nullptr || wanted.file;
  fell_silent = false;
  file_ended = false;
  is_too_large = false;
  heard_ms = clock.steady_ms();
  error.front() = '\0';
  set_up(headers);
  const CURLcode code = run();
  if (code != CURLE_OK && wanted.stop.stop_requested()) {
    return Error{ErrorKind::unavailable, "the request was stopped", {}};
  }
  if (is_too_large) {
    return Error{ErrorKind::too_large,
                 "the answer has more than " + std::to_string(limits.kept_bytes_max) + " bytes",
                 {}};
  }
  if (fell_silent || file_ended) {
    return Error{ErrorKind::unavailable,
                 fell_silent ? "the connection fell silent" : "the file could not be read to its end",
                 {}};
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

std::string_view ClientAnswer::header(std::string_view lower_case_name) const {
  const auto found = std::ranges::find(headers, lower_case_name, &std::pair<std::string, std::string>::first);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

Client::Client(std::unique_ptr<State> state) : state_(std::move(state)) {}

Client::~Client() = default;

Result<std::unique_ptr<Client>> Client::open(const Limits& limits) {
  initialize_once();
  auto state = std::make_unique<State>();
  state->limits = limits;
  state->multi.reset(curl_multi_init());
  state->curl.reset(curl_easy_init());
  if (state->multi == nullptr || state->curl == nullptr) {
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
