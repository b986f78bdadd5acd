/* OpenSSL 3: TLS for pushes, ES256 signatures, digests. Functions replace macros that Swift cannot import. */
#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline int ssl_ctx_set_min_tls12(SSL_CTX *ctx) { return SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION); }
static inline long ssl_ctx_set_mode(SSL_CTX *ctx, long mode) { return SSL_CTX_set_mode(ctx, mode); }
static inline int ssl_set_server_name(SSL *ssl, const char *name) { return (int)SSL_set_tlsext_host_name(ssl, name); }
static inline long bio_mem_data(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }
static inline long bio_mem_pending(BIO *bio) { return (long)BIO_ctrl_pending(bio); }
static inline int bio_reset(BIO *bio) { return (int)BIO_reset(bio); }
static inline EVP_PKEY *evp_p256_key(void) { return EVP_EC_gen("P-256"); }
static inline void ssl_ctx_forbid_old_habits(SSL_CTX *ctx) {
  SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}
