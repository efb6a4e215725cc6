#pragma once
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075300
#error "libcurl before 7.83 sends the authorization to other ports of a redirecting server"
#endif

// Swift cannot call variadic functions, so each shape of option has a function of its own.

static inline CURLcode offstage_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode offstage_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode offstage_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode offstage_curl_set_callback(CURL *easy, CURLoption option,
                                                  curl_write_callback value) {
  return curl_easy_setopt(easy, option, value);
}

/// Copies the body of a POST request.
static inline CURLcode offstage_curl_set_body(CURL *easy, const char *bytes, curl_off_t count) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
  return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// Refuses every scheme but http and https.
static inline CURLcode offstage_curl_allow_http_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static inline long offstage_curl_status(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/// The status of a proxy's response to CONNECT; 0 without one.
static inline long offstage_curl_proxy_status(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status);
  return status;
}

/// The system's error number of the last connection that failed.
static inline long offstage_curl_os_error(CURL *easy) {
  long error = 0;
  curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
  return error;
}

/// OpenSSL's result of checking the server's certificate; 0 if it was accepted.
static inline long offstage_curl_verify_result(CURL *easy) {
  long result = 0;
  curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &result);
  return result;
}

/// Takes the next finished transfer off the queue; null if there is none.
static inline CURL *offstage_curl_next_finished(CURLM *multi, CURLcode *code) {
  int left = 0;
  for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return 0;
}
