#include "sqlite_settings.h"

#if defined(__linux__)

// Before any thread can use SQLite, which takes this setting only until its first use. With the
// statistics, all connections of a process wait for one lock at each allocation, and each connection
// allocates thousands of times to parse the schema. Apple builds its SQLite without them.
__attribute__((constructor)) static void leave_memory_uncounted(void) {
  // Fails where SQLite is in use already, as when this is loaded by a running program.
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif

int snippet_harden(sqlite3 *db) {
  int rc = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (rc != SQLITE_OK) return rc;
  return sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

int snippet_set_triggers(sqlite3 *db, int on) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, on, (int *)0);
}

int snippet_keep_log(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
