// The options of the sanitizers, linked into every program by Tests/run --sanitize.

// Swift's runtime never frees metadata, which looks like leaks.
const char *__asan_default_options(void) { return "detect_leaks=0"; }

// Foundation's Process reads past the end of opendir's buffer.
const char *__asan_default_suppressions(void) {
  return "interceptor_via_fun:findMaximumOpenFromProcSelfFD\n";
}

const char *__tsan_default_options(void) { return "halt_on_error=1"; }
