#ifndef TACHOGRAM_CMOSQUITTO_SHIM_H
#define TACHOGRAM_CMOSQUITTO_SHIM_H
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

// What is used of libmosquitto 2.0 (mosquitto.org/api/files/mosquitto-h.html), declared here so that building needs no header
// of it. The library keeps its binary interface since version 1.0 (soname libmosquitto.so.1).

struct mosquitto;

struct mosquitto_message {
  int mid;
  char *topic;
  void *payload;
  int payloadlen;
  int qos;
  bool retain;
};

enum {
  TACHOGRAM_MOSQ_SUCCESS = 0,
  TACHOGRAM_MOSQ_NOMEM = 1,
  TACHOGRAM_MOSQ_PROTOCOL = 2,
  TACHOGRAM_MOSQ_INVAL = 3,
  TACHOGRAM_MOSQ_NO_CONN = 4,
  TACHOGRAM_MOSQ_CONN_REFUSED = 5,
  TACHOGRAM_MOSQ_CONN_LOST = 7,
  TACHOGRAM_MOSQ_TLS = 8,
  TACHOGRAM_MOSQ_PAYLOAD_SIZE = 9,
  TACHOGRAM_MOSQ_ERRNO = 14,
  TACHOGRAM_MOSQ_EAI = 15,
  TACHOGRAM_MOSQ_MALFORMED_UTF8 = 18,
  TACHOGRAM_MOSQ_KEEPALIVE = 19,
  TACHOGRAM_MOSQ_MALFORMED_PACKET = 21,
};

enum { TACHOGRAM_MOSQ_OPT_TCP_NODELAY = 11, TACHOGRAM_MOSQ_OPT_TLS_USE_OS_CERTS = 13 };
enum { TACHOGRAM_MOSQ_LOG_ERR = 8 };

/// libmosquitto's functions. The library is loaded when the first client is made.
typedef struct {
  int (*lib_init)(void);
  struct mosquitto *(*create)(const char *id, bool clean_session, void *context);
  void (*destroy)(struct mosquitto *client);
  int (*will_set)(struct mosquitto *client, const char *topic, int size, const void *payload, int qos, bool retain);
  int (*username_pw_set)(struct mosquitto *client, const char *user, const char *password);
  int (*int_option)(struct mosquitto *client, int option, int value);
  int (*tls_set)(
      struct mosquitto *client, const char *authorities, const char *authorities_folder, const char *certificate,
      const char *key, int (*passphrase)(char *, int, int, void *));
  int (*tls_opts_set)(struct mosquitto *client, int verification, const char *version, const char *ciphers);
  int (*tls_insecure_set)(struct mosquitto *client, bool value);
  int (*connect_bind_async)(struct mosquitto *client, const char *host, int port, int keepalive, const char *address);
  int (*disconnect)(struct mosquitto *client);
  int (*publish)(
      struct mosquitto *client, int *mid, const char *topic, int size, const void *payload, int qos, bool retain);
  int (*subscribe)(struct mosquitto *client, int *mid, const char *filter, int qos);
  int (*loop_read)(struct mosquitto *client, int packets);
  int (*loop_write)(struct mosquitto *client, int packets);
  int (*loop_misc)(struct mosquitto *client);
  int (*socket)(struct mosquitto *client);
  bool (*want_write)(struct mosquitto *client);
  const char *(*strerror)(int code);
  void (*connect_callback_set)(struct mosquitto *client, void (*)(struct mosquitto *, void *, int));
  void (*publish_callback_set)(struct mosquitto *client, void (*)(struct mosquitto *, void *, int));
  void (*message_callback_set)(
      struct mosquitto *client, void (*)(struct mosquitto *, void *, const struct mosquitto_message *));
  void (*subscribe_callback_set)(
      struct mosquitto *client, void (*)(struct mosquitto *, void *, int, int, const int *));
  void (*log_callback_set)(struct mosquitto *client, void (*)(struct mosquitto *, void *, int, const char *));
} tachogram_mosquitto;

#define TACHOGRAM_MOSQ_FIND(name, symbol) ((*(void **)&mosquitto->name = dlsym(library, "mosquitto_" symbol)) != NULL)

/// Loads the library for the rest of the process. 0 when it is not there or lacks a function.
static inline int tachogram_mosquitto_load(tachogram_mosquitto *mosquitto, const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
  return TACHOGRAM_MOSQ_FIND(lib_init, "lib_init") && TACHOGRAM_MOSQ_FIND(create, "new") &&
         TACHOGRAM_MOSQ_FIND(destroy, "destroy") && TACHOGRAM_MOSQ_FIND(will_set, "will_set") &&
         TACHOGRAM_MOSQ_FIND(username_pw_set, "username_pw_set") && TACHOGRAM_MOSQ_FIND(int_option, "int_option") &&
         TACHOGRAM_MOSQ_FIND(tls_set, "tls_set") && TACHOGRAM_MOSQ_FIND(tls_opts_set, "tls_opts_set") &&
         TACHOGRAM_MOSQ_FIND(tls_insecure_set, "tls_insecure_set") &&
         TACHOGRAM_MOSQ_FIND(connect_bind_async, "connect_bind_async") &&
         TACHOGRAM_MOSQ_FIND(disconnect, "disconnect") && TACHOGRAM_MOSQ_FIND(publish, "publish") &&
         TACHOGRAM_MOSQ_FIND(subscribe, "subscribe") && TACHOGRAM_MOSQ_FIND(loop_read, "loop_read") &&
         TACHOGRAM_MOSQ_FIND(loop_write, "loop_write") && TACHOGRAM_MOSQ_FIND(loop_misc, "loop_misc") &&
         TACHOGRAM_MOSQ_FIND(socket, "socket") &&
         TACHOGRAM_MOSQ_FIND(want_write, "want_write") && TACHOGRAM_MOSQ_FIND(strerror, "strerror") &&
         TACHOGRAM_MOSQ_FIND(connect_callback_set, "connect_callback_set") &&
         TACHOGRAM_MOSQ_FIND(publish_callback_set, "publish_callback_set") &&
         TACHOGRAM_MOSQ_FIND(message_callback_set, "message_callback_set") &&
         TACHOGRAM_MOSQ_FIND(subscribe_callback_set, "subscribe_callback_set") &&
         TACHOGRAM_MOSQ_FIND(log_callback_set, "log_callback_set") && mosquitto->lib_init() == TACHOGRAM_MOSQ_SUCCESS;
}

/// Makes a client. `mosquitto_new` ignores SIGPIPE in the whole process, which programs that this one starts would inherit: the
/// handling from before is restored, under a lock because two clients would otherwise restore each other's. Call it in one source
/// file only, each of which has a lock. `tachogram_mosquitto_block_signals` protects the thread that writes.
static inline struct mosquitto *tachogram_mosquitto_create(
    tachogram_mosquitto mosquitto, const char *id, void *context) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct sigaction before;
  pthread_mutex_lock(&lock);
  int known = sigaction(SIGPIPE, NULL, &before);
  struct mosquitto *client = mosquitto.create(id, true, context);
  if (known == 0) sigaction(SIGPIPE, &before, NULL);
  pthread_mutex_unlock(&lock);
  return client;
}

/// Blocks all signals in this thread: a write to a closed connection would raise SIGPIPE.
static inline void tachogram_mosquitto_block_signals(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
}

/// No passphrase: without this function, OpenSSL would ask for the one of an encrypted key in the terminal.
static inline int tachogram_mosquitto_no_passphrase(char *buffer, int size, int writing, void *context) {
  (void)buffer;
  (void)size;
  (void)writing;
  (void)context;
  return 0;
}

/// Whether there is something to read.
static inline bool tachogram_mosquitto_has_data(int socket) {
  int bytes = 0;
  return socket >= 0 && ioctl(socket, FIONREAD, &bytes) == 0 && bytes > 0;
}

/// The error of a connection, or 0. The kernel reports each error once.
static inline int tachogram_mosquitto_socket_error(int socket) {
  int code = 0;
  socklen_t size = sizeof code;
  return getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : 0;
}

#endif
