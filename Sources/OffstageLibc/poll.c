#include "OffstageLibc.h"

#ifdef __linux__
#include <sys/epoll.h>

int offstage_poll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int offstage_poll_add(int set, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data = {.fd = descriptor}};
  return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

int offstage_poll_remove(int set, int descriptor) {
  struct epoll_event event = {0};
  return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, &event);
}

int offstage_poll_find(int set, int *found) {
  struct epoll_event events[64];
  int count = epoll_wait(set, events, 64, 0);
  for (int i = 0; i < count; i++) found[i] = events[i].data.fd;
  return count;
}
#else
#include <sys/event.h>
#include <sys/time.h>

int offstage_poll_create(void) { return kqueue(); }

static int change(int set, int descriptor, int flags) {
  struct kevent event;
  EV_SET(&event, descriptor, EVFILT_READ, flags, 0, 0, 0);
  return kevent(set, &event, 1, 0, 0, 0);
}

int offstage_poll_add(int set, int descriptor) {
  return change(set, descriptor, EV_ADD);
}

int offstage_poll_remove(int set, int descriptor) {
  return change(set, descriptor, EV_DELETE);
}

int offstage_poll_find(int set, int *found) {
  struct kevent events[64];
  struct timespec now = {0, 0};
  int count = kevent(set, 0, 0, events, 64, &now);
  for (int i = 0; i < count; i++) found[i] = (int)events[i].ident;
  return count;
}
#endif
