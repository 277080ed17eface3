// What Swift needs of the Bluetooth and socket headers. Headers only: nothing of libbluetooth is linked or called.
#ifndef TACHOGRAM_CBLUETOOTH_SHIM_H
#define TACHOGRAM_CBLUETOOTH_SHIM_H

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

// Macros with casts, and enumerations of the C library that import as types of their own, as plain numbers.
enum {
  CBLUETOOTH_FAMILY = AF_BLUETOOTH,
  CBLUETOOTH_PROTOCOL_HCI = BTPROTO_HCI,
  CBLUETOOTH_CHANNEL_MONITOR = HCI_CHANNEL_MONITOR,
  CBLUETOOTH_CHANNEL_CONTROL = HCI_CHANNEL_CONTROL,
};

// A non-blocking socket of the HCI protocol; -1 with errno.
static inline int cbluetooth_open(void) {
  return socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
}

// Empties the set of capabilities that programs inherit, for this thread; -1 with errno. prctl is variadic.
static inline int cbluetooth_clear_ambient_capabilities(void) {
  return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

// Binds to a channel of the whole Bluetooth subsystem rather than of one adapter; -1 with errno.
static inline int cbluetooth_bind(int descriptor, unsigned short channel) {
  struct sockaddr_hci address;
  memset(&address, 0, sizeof address);
  address.hci_family = AF_BLUETOOTH;
  address.hci_dev = HCI_DEV_NONE;
  address.hci_channel = channel;
  return bind(descriptor, (struct sockaddr *)&address, sizeof address);
}

// Asks for the time of arrival with every datagram; -1 with errno.
static inline int cbluetooth_enable_timestamps(int descriptor) {
  int on = 1;
  return setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on);
}

// Asks for a receive buffer of so many bytes: beyond the system's limit where that is permitted, else up to it.
static inline void cbluetooth_enlarge_receive_buffer(int descriptor, int bytes) {
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0)
    (void)setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

// Receives one datagram. The length, or -1 with errno. `*microseconds` is the civil time of arrival in microseconds since
// 1970, and stays as it is where the kernel gave none. `*truncated` says that the datagram was longer than the buffer.
static inline ssize_t cbluetooth_receive(int descriptor, void *buffer, size_t length, int64_t *microseconds,
                                         int *truncated) {
  union {
    struct cmsghdr alignment;
    char bytes[256];
  } control;
  struct iovec part = {buffer, length};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  ssize_t count = recvmsg(descriptor, &message, MSG_DONTWAIT);
  *truncated = 0;
  if (count < 0) return count;
  *truncated = (message.msg_flags & MSG_TRUNC) != 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_TIMESTAMP) continue;
    if (header->cmsg_len < CMSG_LEN(sizeof(struct timeval))) continue;
    struct timeval time;
    memcpy(&time, CMSG_DATA(header), sizeof time);
    *microseconds = (int64_t)time.tv_sec * 1000000 + time.tv_usec;
  }
  return count;
}

#endif
