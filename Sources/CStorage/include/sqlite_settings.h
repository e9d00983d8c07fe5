#ifndef SNIPPET_SQLITE_SETTINGS_H
#define SNIPPET_SQLITE_SETTINGS_H

#include <sqlite3.h>

/// Applies the switches that keep SQL, and a file from outside, from altering the schema behind
/// our back: `SQLITE_DBCONFIG_DEFENSIVE` on, `SQLITE_DBCONFIG_TRUSTED_SCHEMA` off.
///
/// @return `SQLITE_OK`, or the first result code that is not.
int snippet_harden(sqlite3 *db);

/// Has triggers fire or not on this connection (`SQLITE_DBCONFIG_ENABLE_TRIGGER`). Statements that are
/// kept prepared are prepared again.
///
/// @return The result code.
int snippet_set_triggers(sqlite3 *db, int on);

/// Leaves the log as it is when the connection is the last one to be closed
/// (`SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`).
///
/// @return The result code.
int snippet_keep_log(sqlite3 *db);

#endif
