// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import by itself: OpenSSL's macros. Everything else is called from Swift.
#pragma once

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
