#ifndef TACHOGRAM_CCURL_SHIM_H
#define TACHOGRAM_CCURL_SHIM_H
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>

/// libcurl's functions. The library is loaded when the first request is sent: with the thirty libraries that it needs, it takes
/// 6 MB, and most stations never send one.
typedef struct {
  __typeof__(curl_global_init) *global_init;
  __typeof__(curl_easy_init) *easy_init;
  __typeof__(curl_easy_cleanup) *easy_cleanup;
  __typeof__(curl_easy_reset) *easy_reset;
  __typeof__(curl_easy_perform) *easy_perform;
  __typeof__(curl_easy_setopt) *easy_setopt;
  __typeof__(curl_easy_getinfo) *easy_getinfo;
  __typeof__(curl_easy_strerror) *easy_strerror;
  __typeof__(curl_slist_append) *slist_append;
  __typeof__(curl_slist_free_all) *slist_free_all;
} tachogram_curl;

#define TACHOGRAM_CURL_FIND(name) ((curl->name = (__typeof__(curl->name))dlsym(library, "curl_" #name)) != NULL)

/// Loads the library and sets it up, for the rest of the process. 0 when it is not there or cannot be used.
static inline int tachogram_curl_load(tachogram_curl *curl) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
  return TACHOGRAM_CURL_FIND(global_init) && TACHOGRAM_CURL_FIND(easy_init) && TACHOGRAM_CURL_FIND(easy_cleanup) &&
         TACHOGRAM_CURL_FIND(easy_reset) &&
         TACHOGRAM_CURL_FIND(easy_perform) && TACHOGRAM_CURL_FIND(easy_setopt) && TACHOGRAM_CURL_FIND(easy_getinfo) &&
         TACHOGRAM_CURL_FIND(easy_strerror) && TACHOGRAM_CURL_FIND(slist_append) &&
         TACHOGRAM_CURL_FIND(slist_free_all) && curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

// easy_setopt and easy_getinfo are variadic, which Swift does not import: a function for each type of argument.

static inline CURLcode tachogram_curl_set_long(tachogram_curl curl, CURL *handle, CURLoption option, long value) {
  return curl.easy_setopt(handle, option, value);
}

static inline CURLcode tachogram_curl_set_size(tachogram_curl curl, CURL *handle, CURLoption option, curl_off_t value) {
  return curl.easy_setopt(handle, option, value);
}

static inline CURLcode tachogram_curl_set_text(tachogram_curl curl, CURL *handle, CURLoption option, const char *value) {
  return curl.easy_setopt(handle, option, value);
}

static inline CURLcode tachogram_curl_set_pointer(tachogram_curl curl, CURL *handle, CURLoption option, void *value) {
  return curl.easy_setopt(handle, option, value);
}

/// For the body and for the headers of a response.
static inline CURLcode tachogram_curl_set_receiver(
    tachogram_curl curl, CURL *handle, CURLoption option, curl_write_callback callback) {
  return curl.easy_setopt(handle, option, callback);
}

static inline CURLcode tachogram_curl_set_progress(tachogram_curl curl, CURL *handle, curl_xferinfo_callback callback) {
  return curl.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
}

/// The status of the last response; 0 when there was none.
static inline long tachogram_curl_status(tachogram_curl curl, CURL *handle) {
  long status = 0;
  return curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

#endif
