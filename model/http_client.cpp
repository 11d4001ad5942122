#include "model/http_client.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <dlfcn.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

namespace loci {
namespace {

using std::chrono::milliseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

constexpr const char* library_name = "libcurl.so.4";
constexpr size_t most_header_bytes = size_t{256} << 10;  // below curl's own limit, which it reports as a broken connection

struct Library {
  decltype(&curl_global_init_mem) global_init_mem = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_reset) easy_reset = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&curl_multi_perform) multi_perform = nullptr;
  decltype(&curl_multi_poll) multi_poll = nullptr;
  decltype(&curl_multi_wakeup) multi_wakeup = nullptr;
  decltype(&curl_multi_info_read) multi_info_read = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
};

template <typename Function>
bool load(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(handle, name));
  return function != nullptr;
}

bool load_all(void* handle, Library& library) {
  return load(handle, "curl_global_init_mem", library.global_init_mem) && load(handle, "curl_easy_init", library.easy_init) &&
         load(handle, "curl_easy_reset", library.easy_reset) && load(handle, "curl_easy_cleanup", library.easy_cleanup) &&
         load(handle, "curl_easy_setopt", library.easy_setopt) && load(handle, "curl_easy_getinfo", library.easy_getinfo) &&
         load(handle, "curl_easy_strerror", library.easy_strerror) && load(handle, "curl_multi_init", library.multi_init) &&
         load(handle, "curl_multi_cleanup", library.multi_cleanup) &&
         load(handle, "curl_multi_add_handle", library.multi_add_handle) &&
         load(handle, "curl_multi_remove_handle", library.multi_remove_handle) &&
         load(handle, "curl_multi_perform", library.multi_perform) && load(handle, "curl_multi_poll", library.multi_poll) &&
         load(handle, "curl_multi_wakeup", library.multi_wakeup) && load(handle, "curl_multi_info_read", library.multi_info_read) &&
         load(handle, "curl_slist_append", library.slist_append) && load(handle, "curl_slist_free_all", library.slist_free_all);
}

extern "C" {

// curl copies a request, with the key in it, several times: into its list of headers, into what it sends. So whatever it gives back
// is wiped.
static void free_wiped(void* bytes) {
  if (bytes == nullptr) return;
  ::explicit_bzero(bytes, ::malloc_usable_size(bytes));
  std::free(bytes);
}

static void* realloc_wiped(void* bytes, size_t size) {
  void* const moved = std::malloc(size);
  if (moved == nullptr || bytes == nullptr) return moved;
  std::memcpy(moved, bytes, std::min(size, ::malloc_usable_size(bytes)));
  free_wiped(bytes);
  return moved;
}

}  // extern "C"

// Null if there is none, or one that is too old. Never unloaded: it has threads and handlers of its own.
const Library* library() {
  static const Library* const loaded = []() -> const Library* {
    static Library found;
    void* const handle = ::dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr || !load_all(handle, found)) return nullptr;
    const auto started = found.global_init_mem(CURL_GLOBAL_DEFAULT, std::malloc, free_wiped, realloc_wiped, ::strdup, std::calloc);
    return started == CURLE_OK ? &found : nullptr;
  }();
  return loaded;
}

bool is_loopback(const sockaddr& address) {
  if (address.sa_family == AF_INET)
    return (ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr) >> 24) == IN_LOOPBACKNET;
  return address.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr);
}

// What the callbacks of one request share.
struct Transfer {
  const HttpPost& request;
  size_t limit;
  HttpAnswer answer = {};
  size_t received = 0;  // headers and body
  size_t header_bytes = 0;
  bool too_large = false, address_refused = false;
  std::array<char, CURL_ERROR_SIZE> error = {};
};

// The value of a header line of that name (in lower case).
bool is_header(std::string_view line, std::string_view name, std::string& value) {
  if (line.size() <= name.size() || line[name.size()] != ':') return false;
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  if (!std::ranges::equal(line.substr(0, name.size()), name, same)) return false;
  line.remove_prefix(name.size() + 1);
  const size_t begin = line.find_first_not_of(" \t");
  const size_t end = line.find_last_not_of(" \t\r\n");
  value = begin == std::string_view::npos || end < begin ? "" : std::string(line.substr(begin, end - begin + 1));
  return true;
}

extern "C" {

// A shorter count than was given makes curl end the transfer.
static size_t take_header(char* bytes, size_t, size_t size, void* of) {
  auto& transfer = *static_cast<Transfer*>(of);
  transfer.received += size;
  transfer.header_bytes += size;
  if (transfer.header_bytes > most_header_bytes) return transfer.too_large = true, 0;
  const std::string_view line(bytes, size);
  HttpAnswer& answer = transfer.answer;
  // An interim answer (100 Continue) has headers of its own.
  if (line.starts_with("HTTP/")) answer = {};
  is_header(line, "content-encoding", answer.content_encoding) || is_header(line, "retry-after", answer.retry_after) ||
      is_header(line, "date", answer.date);
  return size;
}

static size_t take_body(char* bytes, size_t, size_t size, void* of) {
  auto& transfer = *static_cast<Transfer*>(of);
  transfer.received += size;
  if (size > transfer.limit - transfer.answer.body.size()) return transfer.too_large = true, 0;
  transfer.answer.body.append(bytes, size);
  return size;
}

static curl_socket_t open_socket(void* of, curlsocktype, curl_sockaddr* address) {
  auto& transfer = *static_cast<Transfer*>(of);
  if (transfer.request.only_this_machine && !is_loopback(address->addr)) {
    transfer.address_refused = true;
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

}  // extern "C"

// Ends what moves less than a byte a second, over windows one after the other.
class StallWatch {
 public:
  StallWatch(milliseconds window, SteadyTime now) : window_(window), begin_(now) {}

  bool has_stalled(size_t moved, bool waiting_is_fine, SteadyTime now) {
    if (waiting_is_fine || moved - moved_at_begin_ >= static_cast<size_t>(std::max<std::int64_t>(1, window_.count() / 1'000))) {
      begin_ = now;
      moved_at_begin_ = moved;
    }
    return now - begin_ >= window_;
  }

 private:
  milliseconds window_;
  SteadyTime begin_;
  size_t moved_at_begin_ = 0;
};

HttpFailure::Kind kind_of(CURLcode code, const Transfer& transfer) {
  if (transfer.too_large) return HttpFailure::Kind::too_large;
  if (transfer.address_refused) return HttpFailure::Kind::unusable;
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_PARTIAL_FILE:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      return HttpFailure::Kind::connection;
    default:
      return HttpFailure::Kind::unusable;
  }
}

std::string in_seconds(milliseconds time) {
  return time.count() % 1'000 == 0 ? std::to_string(time.count() / 1'000) + " s" : std::to_string(time.count()) + " ms";
}

}  // namespace

// The handles, and the connection that the next request may use again.
struct HttpClient::Connection {
  const Library& curl;
  CURLM* multi;
  CURL* easy;

  ~Connection() {
    if (easy != nullptr) curl.easy_cleanup(easy);
    if (multi != nullptr) curl.multi_cleanup(multi);
  }

  template <typename Value>
  void set(CURLoption option, Value value) {
    curl.easy_setopt(easy, option, value);
  }

  void prepare(Transfer& transfer, const HttpLimits& limits, curl_slist* headers);
  void prepare_route(const HttpPost& request);
  bool waits_for_the_model(const Transfer& transfer, size_t uploaded) const {
    return transfer.received == 0 && (uploaded == 0 || uploaded >= transfer.request.body.size());
  }
  size_t uploaded() const {
    curl_off_t bytes = 0;
    curl.easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &bytes);
    return static_cast<size_t>(std::max<curl_off_t>(bytes, 0));
  }
  std::expected<void, HttpFailure> perform(Transfer& transfer, const HttpLimits& limits, const std::stop_token& stop);
  std::expected<void, HttpFailure> run(Transfer& transfer, const HttpLimits& limits, const std::stop_token& stop);
  std::expected<void, HttpFailure> result_of(CURLcode code, const Transfer& transfer) const;
};

void HttpClient::Connection::prepare_route(const HttpPost& request) {
  // Set even where they are empty: curl reads the environment otherwise.
  set(CURLOPT_PROXY, request.only_this_machine ? "" : request.proxy.c_str());
  set(CURLOPT_NOPROXY, request.no_proxy.c_str());
  set(CURLOPT_PROTOCOLS_STR, request.url.starts_with("https:") ? "https" : "http");
  set(CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_NETRC, long{CURL_NETRC_IGNORED});
  set(CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_TCP_KEEPIDLE, 30L);
  set(CURLOPT_TCP_KEEPINTVL, 10L);
}

void HttpClient::Connection::prepare(Transfer& transfer, const HttpLimits& limits, curl_slist* headers) {
  const HttpPost& request = transfer.request;
  prepare_route(request);
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_USERAGENT, "loci/" LOCI_VERSION);
  set(CURLOPT_HTTPHEADER, headers);
  set(CURLOPT_POST, 1L);
  set(CURLOPT_POSTFIELDS, request.body.data());
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect.count()));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);  // a name that is still being looked up does not hold up who cancels
  set(CURLOPT_ERRORBUFFER, transfer.error.data());
  set(CURLOPT_HEADERFUNCTION, &take_header);
  set(CURLOPT_HEADERDATA, &transfer);
  set(CURLOPT_WRITEFUNCTION, &take_body);
  set(CURLOPT_WRITEDATA, &transfer);
  set(CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  set(CURLOPT_OPENSOCKETDATA, &transfer);
}

std::expected<void, HttpFailure> HttpClient::Connection::result_of(CURLcode code, const Transfer& transfer) const {
  if (code == CURLE_OK) return {};
  const HttpFailure::Kind kind = kind_of(code, transfer);
  if (kind == HttpFailure::Kind::too_large) return std::unexpected(HttpFailure{kind, "the answer is too large"});
  if (transfer.address_refused) return std::unexpected(HttpFailure{kind, "the host is not this machine"});
  const std::string_view detail(transfer.error.data());
  return std::unexpected(HttpFailure{kind, detail.empty() ? curl.easy_strerror(code) : std::string(detail)});
}

std::expected<void, HttpFailure> HttpClient::Connection::run(Transfer& transfer, const HttpLimits& limits,
                                                             const std::stop_token& stop) {
  using Kind = HttpFailure::Kind;
  const SteadyTime begin = std::chrono::steady_clock::now();
  StallWatch watch(limits.stall, begin);
  const std::stop_callback wake(stop, [this] { curl.multi_wakeup(multi); });
  for (;;) {
    if (stop.stop_requested()) return std::unexpected(HttpFailure{Kind::cancelled, "it was cancelled"});
    int running = 0, waiting = 0;
    curl.multi_perform(multi, &running);
    if (const CURLMsg* message = curl.multi_info_read(multi, &waiting)) return result_of(message->data.result, transfer);
    const SteadyTime now = std::chrono::steady_clock::now();
    if (now - begin >= limits.total)
      return std::unexpected(HttpFailure{Kind::out_of_time, "no answer within " + in_seconds(limits.total)});
    const size_t sent = uploaded();
    if (watch.has_stalled(sent + transfer.received, waits_for_the_model(transfer, sent), now))
      return std::unexpected(HttpFailure{Kind::connection, "the connection has stalled for " + in_seconds(limits.stall)});
    const auto left = std::chrono::ceil<milliseconds>(limits.total - (now - begin));
    curl.multi_poll(multi, nullptr, 0, static_cast<int>(std::min({left, limits.stall, milliseconds(1'000)}).count()), nullptr);
  }
}

// As it was prepared. Afterwards the handle forgets the request, and the connection to the server stays.
std::expected<void, HttpFailure> HttpClient::Connection::perform(Transfer& transfer, const HttpLimits& limits,
                                                                 const std::stop_token& stop) {
  curl.multi_add_handle(multi, easy);
  auto done = run(transfer, limits, stop);
  long status = 0;
  curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  transfer.answer.status = static_cast<int>(status);
  curl.multi_remove_handle(multi, easy);
  curl.easy_reset(easy);
  return done;
}

HttpClient::HttpClient(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
HttpClient::~HttpClient() = default;

Result<std::unique_ptr<HttpClient>> HttpClient::open() {
  const Library* curl = library();
  if (curl == nullptr)
    return fail(ErrorCode::remote, std::string("cannot load ").append(library_name), "install it (on Debian the package libcurl4)");
  auto connection = std::make_unique<Connection>(*curl, curl->multi_init(), curl->easy_init());
  if (connection->multi == nullptr || connection->easy == nullptr) return fail(ErrorCode::remote, "libcurl cannot be started");
  return std::unique_ptr<HttpClient>(new HttpClient(std::move(connection)));
}

std::expected<HttpAnswer, HttpFailure> HttpClient::post(const HttpPost& request, const HttpLimits& limits,
                                                        const std::stop_token& stop) {
  const Library& curl = connection_->curl;
  // Without it, curl waits a second for a "100 Continue" before a large body.
  curl_slist* headers = curl.slist_append(nullptr, "Expect:");
  for (const HttpHeader& header : request.headers) {
    std::string line = header.name + ": " + header.value;
    headers = curl.slist_append(headers, line.c_str());
    wipe(line);
  }
  Transfer transfer{request, limits.answer_bytes};
  connection_->prepare(transfer, limits, headers);
  const auto done = connection_->perform(transfer, limits, stop);
  curl.slist_free_all(headers);
  if (!done) return std::unexpected(done.error());
  return std::move(transfer.answer);
}

std::expected<void, HttpFailure> HttpClient::reach(const HttpPost& request, const HttpLimits& limits) {
  Transfer transfer{request, limits.answer_bytes};
  connection_->prepare(transfer, limits, nullptr);
  connection_->set(CURLOPT_CONNECT_ONLY, 1L);
  return connection_->perform(transfer, limits, {});
}

}  // namespace loci
