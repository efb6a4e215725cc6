#pragma once

// Functions that Swift's module of the C library lacks. This includes no header of the system, since its types
// would be those of another module.

/// Makes all threads share the memory that they have freed, with glibc.
void offstage_share_free_memory(void);

/// Gives free memory back to the system, with glibc.
void offstage_return_free_memory(void);

/// Closes the descriptors of a child from a number on, with glibc. `actions` is a
/// `posix_spawn_file_actions_t *`.
void offstage_spawn_close_from(void *actions, int first);

// A set of descriptors that says which of them are readable: epoll(7), or kqueue(2) on Darwin.

int offstage_poll_create(void);
int offstage_poll_add(int set, int descriptor);
int offstage_poll_remove(int set, int descriptor);

/// Stores the descriptors that can be read from, at most 64, and returns their number.
int offstage_poll_find(int set, int *found);

// Descriptors over a Unix socket: cmsg(3), whose macros Swift cannot import.

/// Sends a descriptor with some bytes, as `sendmsg` does.
long offstage_send_descriptor(int channel, int descriptor, const void *bytes, long count);

/// Receives bytes, as `recvmsg` does, and stores the descriptor that came with them; -1 for none.
long offstage_receive_descriptor(int channel, int *descriptor, void *bytes, long count);
