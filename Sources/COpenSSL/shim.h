#ifndef TACHOGRAM_COPENSSL_SHIM_H
#define TACHOGRAM_COPENSSL_SHIM_H
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/// What is said with macros: TLS 1.3 alone, nothing kept of connections that are over, on either side, and buffers of records
/// only while something is in them. 0 when it is refused.
static inline int tachogram_tls_restrict(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  return SSL_CTX_set_num_tickets(context, 0) == 1 && SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1;
}

/// Adds an intermediate certificate, which stays the caller's. 0 when it is refused.
static inline int tachogram_tls_add_to_chain(SSL_CTX *context, X509 *certificate) {
  return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

/// Whether the key is that of a certificate of the chain.
static inline int tachogram_tls_chain_has(SSL_CTX *context, EVP_PKEY *key) {
  STACK_OF(X509) *chain = NULL;
  if (SSL_CTX_get0_chain_certs(context, &chain) != 1) return 0;
  for (int index = 0; index < sk_X509_num(chain); index++) {
    if (X509_check_private_key(sk_X509_value(chain, index), key) == 1) return 1;
  }
  return 0;
}

/// Whether reading a PEM file ended because there is nothing more in it.
static inline int tachogram_tls_is_end_of_pem(void) {
  unsigned long error = ERR_peek_last_error();
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

/// Whether a handshake failed because the peer sent an HTTP request without TLS.
static inline int tachogram_tls_is_plain_http(void) {
  unsigned long error = ERR_peek_last_error();
  return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_HTTP_REQUEST;
}

/// Seconds since 1970; INT64_MIN when it cannot be read.
static inline int64_t tachogram_tls_seconds(const ASN1_TIME *time) {
  struct tm parts;
  return ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : INT64_MIN;
}

#endif
