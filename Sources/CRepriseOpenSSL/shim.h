// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import by itself: OpenSSL's macros and variadic functions. Everything else is called from Swift.
#pragma once

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// What all contexts have in common.
static inline void shim_context_prepare(SSL_CTX *context, size_t read_buffer_length) {
    // A write takes one record after the other, from wherever the caller holds the bytes by then; and an idle
    // connection keeps no buffers.
    SSL_CTX_set_mode(
        context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    // TLS 1.2's second handshake within a connection: nobody needs it, and it costs the one who answers more.
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    // One system call for header and body of a record, and for what follows.
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_default_read_buffer_len(context, read_buffer_length);
}

static inline int shim_context_set_versions(SSL_CTX *context, int minimum, int maximum) {
    return SSL_CTX_set_min_proto_version(context, minimum) == 1 && SSL_CTX_set_max_proto_version(context, maximum) == 1;
}

// The cipher suites that a connection can negotiate.
static inline int shim_context_suite_count(const SSL_CTX *context) {
    return sk_SSL_CIPHER_num(SSL_CTX_get_ciphers(context));
}

static inline const char *shim_context_suite_name(const SSL_CTX *context, int index) {
    return SSL_CIPHER_get_name(sk_SSL_CIPHER_value(SSL_CTX_get_ciphers(context), index));
}

// The context takes a reference of its own.
static inline int shim_context_add_chain(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

static inline int shim_set_server_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name) == 1;
}

static inline EVP_PKEY *shim_make_key(void) {
    return EVP_EC_gen("P-256");
}

static inline void shim_prepare_extensions(X509V3_CTX *extensions, X509 *issuer, X509 *subject) {
    X509V3_set_ctx_nodb(extensions);
    X509V3_set_ctx(extensions, issuer, subject, NULL, NULL, 0);
}

// `CN=Example CA,O=Example`; whatever a terminal would act on is escaped.
static inline int shim_print_name(BIO *text, const X509_NAME *name) {
    return X509_NAME_print_ex(text, name, 0, XN_FLAG_RFC2253) >= 0;
}

// CRC-32C with the processor's instruction, for RepriseHashing, which imports this module for SHA-256.
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
static inline int shim_has_crc32c(void) {
    return __builtin_cpu_supports("sse4.2");
}

__attribute__((target("sse4.2")))
static inline uint32_t shim_crc32c(uint32_t crc, const unsigned char *bytes, size_t count) {
    uint64_t state = crc;
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        state = __builtin_ia32_crc32di(state, word);
    }
    for (; count > 0; bytes++, count--) state = __builtin_ia32_crc32qi((uint32_t)state, *bytes);
    return (uint32_t)state;
}
#else
static inline int shim_has_crc32c(void) {
    return 0;
}

static inline uint32_t shim_crc32c(uint32_t crc, const unsigned char *bytes, size_t count) {
    (void)bytes;
    (void)count;
    return crc;
}
#endif
