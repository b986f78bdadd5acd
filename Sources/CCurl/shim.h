/* libcurl, with a typed function for each variadic call, since Swift cannot call C variadics. */
#pragma once
#include <curl/curl.h>

static inline CURLcode curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_off(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_write(CURL *handle, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_sockopt(CURL *handle, CURLoption option, curl_opensocket_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode curl_get_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
/* The result code of a finished transfer; Swift reads the union in CURLMsg only with casts. */
static inline CURLcode curl_message_result(const CURLMsg *message) { return message->data.result; }

/* The address of a socket before it is opened; curl's struct is longer than its declaration. */
static inline const struct sockaddr *curl_peer_address(const struct curl_sockaddr *peer) { return &peer->addr; }
