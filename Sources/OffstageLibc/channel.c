#define _GNU_SOURCE
#include "OffstageLibc.h"

#include <string.h>
#include <sys/socket.h>

// The control data of a message with one descriptor, aligned as its header.
union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

long offstage_send_descriptor(int channel, int descriptor, const void *bytes, long count) {
  union control control = {0};
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(channel, &message, 0);
}

long offstage_receive_descriptor(int channel, int *descriptor, void *bytes, long count) {
  union control control = {0};
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *descriptor = -1;
  long received = recvmsg(channel, &message, 0);
  struct cmsghdr *header = received > 0 ? CMSG_FIRSTHDR(&message) : 0;
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  return received;
}
