// SPDX-License-Identifier: Apache-2.0
// inflateInit2 is a macro, which Swift cannot import.
#pragma once
#include <zlib.h>

static inline int shim_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}
