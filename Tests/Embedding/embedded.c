/* Talks to a core in this process, as any C program would (Sources/ShowcaseEmbedded/offstage.h). */
#define _XOPEN_SOURCE 700

#include <offstage.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static const char *line;
static size_t length;

static void fail(const char *reason) {
  fprintf(stderr, "embedded.c: %s\n", reason);
  exit(1);
}

static void send(offstage_core *core, const char *text) { offstage_send(core, text, strlen(text)); }

/* Receives lines until one contains a text. */
static void expect(offstage_core *core, const char *text) {
  while (offstage_receive(core, 30000, &line, &length) == 1) {
    if (strlen(line) != length) fail("the length is not that of the line");
    if (strstr(line, text)) return;
  }
  fail(text);
}

static void ignore(int number) { (void)number; }

/* Starts a core while signals interrupt the wait for it. */
static void start_amid_signals(void) {
  char error[64];
  const char *arguments[] = {"--deterministic"};
  struct sigaction action = {.sa_handler = ignore};
  struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  for (int round = 0; round < 10; round++) {
    offstage_core *core = offstage_start(1, arguments, error, sizeof error);
    if (!core) fail(error);
    offstage_stop(core);
  }
  setitimer(ITIMER_REAL, &never, NULL);
}

int main(void) {
  char error[64];
  const char *wrong[] = {"--nonsense"};
  if (offstage_start(1, wrong, error, sizeof error)) fail("started with an unknown option");
  if (strcmp(error, "showcase: unknown option --nonsense")) fail(error);
  if (offstage_start(1, wrong, NULL, 0)) fail("started with an unknown option");

  const char *arguments[] = {"--deterministic", "--root=signUp"};
  offstage_core *core = offstage_start(2, arguments, error, sizeof error);
  if (!core) fail(error);
  /* Two cores in one process share nothing. */
  offstage_core *other = offstage_start(1, arguments, error, sizeof error);
  if (!other) fail(error);
  send(other, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"state/settle\"}");

  if (offstage_receive(core, 0, &line, &length) != 0) fail("a line before any request");
  if (offstage_receive(core, 10, &line, &length) != 0) fail("a line before any request");
  send(core, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocol\":1}}");
  expect(core, "\"revision\":1,");
  expect(core, "\"id\":1,");
  send(core, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"input\",\"params\":"
             "{\"screen\":\"1\",\"name\":\"nameText\",\"value\":\"Kim \xEA\xB9\x80\"}}");
  expect(core, "\"value\":\"Kim \xEA\xB9\x80\"");
  expect(core, "\"id\":2,");
  send(core, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"shutdown\"}");
  expect(core, "\"id\":3,");
  if (offstage_receive(core, -1, &line, &length) != -1) fail("a line after the end");
  offstage_stop(core);

  expect(other, "\"id\":1,");
  offstage_stop(other);
  start_amid_signals();
  puts("embedded.c: passed");
  return 0;
}
