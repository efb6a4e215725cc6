#pragma once
#include <zlib.h>

/// Starts decompressing gzip. `inflateInit2` is a macro, which Swift cannot import.
static inline int showcase_zlib_begin_gzip(z_stream *stream) {
  return inflateInit2(stream, MAX_WBITS + 16);
}
