#ifndef TACHOGRAM_CPOSTGRESQL_SHIM_H
#define TACHOGRAM_CPOSTGRESQL_SHIM_H
#include <dlfcn.h>
#include <stddef.h>

// What is used of libpq 15 (postgresql.org/docs/15/libpq.html), declared here so that building needs no header of it. Since
// PostgreSQL 8.0, the library keeps its binary interface.

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;

enum { TACHOGRAM_PG_CONNECTION_OK = 0 };
enum { TACHOGRAM_PG_COMMAND_OK = 1, TACHOGRAM_PG_TUPLES_OK = 2 };
/// The field of an error with its five characters of SQLSTATE.
enum { TACHOGRAM_PG_SQLSTATE = 'C' };
/// The state of a connection outside a transaction.
enum { TACHOGRAM_PG_IDLE = 0 };

/// libpq's functions. The library is loaded when the first connection is made: Debian's needs those of LDAP and Kerberos.
typedef struct {
  PGconn *(*connectdbParams)(const char *const *keywords, const char *const *values, int expand_dbname);
  int (*status)(const PGconn *connection);
  char *(*errorMessage)(const PGconn *connection);
  void (*finish)(PGconn *connection);
  int (*transactionStatus)(const PGconn *connection);
  int (*serverVersion)(const PGconn *connection);
  PGresult *(*exec)(PGconn *connection, const char *command);
  PGresult *(*prepare)(PGconn *connection, const char *name, const char *query, int count, const Oid *types);
  PGresult *(*execPrepared)(
      PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
      const int *formats, int result_format);
  int (*resultStatus)(const PGresult *result);
  char *(*resultErrorField)(const PGresult *result, int field);
  char *(*cmdTuples)(PGresult *result);
  int (*ntuples)(const PGresult *result);
  int (*nfields)(const PGresult *result);
  Oid (*ftype)(const PGresult *result, int column);
  int (*getisnull)(const PGresult *result, int row, int column);
  int (*getlength)(const PGresult *result, int row, int column);
  char *(*getvalue)(const PGresult *result, int row, int column);
  void (*clear)(PGresult *result);
  void (*(*setNoticeProcessor)(PGconn *connection, void (*processor)(void *, const char *), void *context))(
      void *, const char *);
} tachogram_pg;

#define TACHOGRAM_PG_FIND(name, symbol) ((*(void **)&pg->name = dlsym(library, symbol)) != NULL)

/// Loads the library for the rest of the process. 0 when it is not there or lacks a function.
static inline int tachogram_pg_load(tachogram_pg *pg) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
  return TACHOGRAM_PG_FIND(connectdbParams, "PQconnectdbParams") && TACHOGRAM_PG_FIND(status, "PQstatus") &&
         TACHOGRAM_PG_FIND(errorMessage, "PQerrorMessage") && TACHOGRAM_PG_FIND(finish, "PQfinish") &&
         TACHOGRAM_PG_FIND(transactionStatus, "PQtransactionStatus") &&
         TACHOGRAM_PG_FIND(serverVersion, "PQserverVersion") && TACHOGRAM_PG_FIND(exec, "PQexec") &&
         TACHOGRAM_PG_FIND(prepare, "PQprepare") && TACHOGRAM_PG_FIND(execPrepared, "PQexecPrepared") &&
         TACHOGRAM_PG_FIND(resultStatus, "PQresultStatus") &&
         TACHOGRAM_PG_FIND(resultErrorField, "PQresultErrorField") && TACHOGRAM_PG_FIND(cmdTuples, "PQcmdTuples") &&
         TACHOGRAM_PG_FIND(ntuples, "PQntuples") && TACHOGRAM_PG_FIND(nfields, "PQnfields") &&
         TACHOGRAM_PG_FIND(ftype, "PQftype") &&
         TACHOGRAM_PG_FIND(getisnull, "PQgetisnull") && TACHOGRAM_PG_FIND(getlength, "PQgetlength") &&
         TACHOGRAM_PG_FIND(getvalue, "PQgetvalue") && TACHOGRAM_PG_FIND(clear, "PQclear") &&
         TACHOGRAM_PG_FIND(setNoticeProcessor, "PQsetNoticeProcessor");
}

static inline void tachogram_pg_ignore(void *context, const char *message) {
  (void)context;
  (void)message;
}

/// Notices quote values, and would go to standard error.
static inline void tachogram_pg_silence(tachogram_pg pg, PGconn *connection) {
  pg.setNoticeProcessor(connection, tachogram_pg_ignore, NULL);
}

#endif
