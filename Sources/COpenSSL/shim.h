#ifndef TACHOGRAM_COPENSSL_SHIM_H
#define TACHOGRAM_COPENSSL_SHIM_H
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
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

/// A new key on the curve P-256. NULL when it cannot be made.
static inline EVP_PKEY *tachogram_tls_make_key(void) { return EVP_EC_gen("P-256"); }

/// Gives a certificate an extension of which `value` is the text form. 0 when it is refused.
static inline int tachogram_tls_add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
  if (extension == NULL) return 0;
  int added = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return added == 1;
}

/// Gives a certificate a random serial number of 127 bits. 0 when there is none.
static inline int tachogram_tls_set_random_serial(X509 *certificate) {
  BIGNUM *number = BN_new();
  int done = number != NULL && BN_rand(number, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
             BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
  BN_free(number);
  return done;
}

/// The bytes that were written into a memory BIO.
static inline long tachogram_tls_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

/// Copies the alternative names of a certificate in text form, as in `DNS:pi.local, IP Address:10.0.0.2`, into `bio`.
static inline int tachogram_tls_write_names(X509 *certificate, BIO *bio) {
  int place = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1);
  if (place < 0) return 0;
  return X509V3_EXT_print(bio, X509_get_ext(certificate, place), 0, 0) == 1;
}

#endif
