/*
 * An Offstage core inside this process. It speaks the protocol of Protocol/README.md: one JSON text per
 * line, in both directions.
 *
 *   const char *arguments[] = {"--deterministic"};
 *   const char *request = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"shutdown\"}";
 *   const char *line;
 *   size_t length;
 *   char error[256];
 *   offstage_core *core = offstage_start(1, arguments, error, sizeof error);
 *   if (!core) return fputs(error, stderr), 1;
 *   offstage_send(core, request, strlen(request));
 *   while (offstage_receive(core, -1, &line, &length) == 1) puts(line);
 *   offstage_stop(core);
 *
 * Cores share one thread, which the library starts. Any thread may call these functions; one thread at
 * a time may receive from a core.
 */
#ifndef OFFSTAGE_H
#define OFFSTAGE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct offstage_core offstage_core;

/*
 * Starts a core.
 *
 * count, arguments: the command line without the program's name, in UTF-8.
 * error, capacity: a buffer for the message of a failure, which may be cut; NULL and 0 for none.
 * Returns NULL if the command line is invalid or the app cannot be composed.
 */
offstage_core *offstage_start(int count, const char *const *arguments, char *error, size_t capacity);

/* Sends a line of this many bytes, without its LF. The bytes are copied. */
void offstage_send(offstage_core *core, const char *line, size_t length);

/*
 * Waits for the next line, at most this many milliseconds; -1 waits without limit, 0 does not wait.
 *
 * Returns 1 with a line of UTF-8, which ends in a NUL that `length` does not count and is valid until the
 * next call for this core; 0 if there is no line yet; -1 after the last line of a core that has shut down.
 */
int offstage_receive(offstage_core *core, int milliseconds, const char **line, size_t *length);

/*
 * Ends a core and releases it. To receive its last lines, send `shutdown` and receive until -1 first.
 */
void offstage_stop(offstage_core *core);

#ifdef __cplusplus
}
#endif

#endif
