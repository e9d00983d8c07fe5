#ifndef SNIPPET_SQLITE_SETTINGS_H
#define SNIPPET_SQLITE_SETTINGS_H

#include <sqlite3.h>

/// Applies the switches that keep SQL and foreign files from altering the schema unnoticed:
/// `SQLITE_DBCONFIG_DEFENSIVE` on, `SQLITE_DBCONFIG_TRUSTED_SCHEMA` off.
///
/// @return `SQLITE_OK`, or the first other result code.
int snippet_harden(sqlite3 *db);

/// Turns triggers on this connection on or off (`SQLITE_DBCONFIG_ENABLE_TRIGGER`).
///
/// Cached prepared statements are prepared again.
///
/// @return The result code.
int snippet_set_triggers(sqlite3 *db, int on);

/// Keeps the log when the connection is the last one to be closed
/// (`SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`).
///
/// @return The result code.
int snippet_keep_log(sqlite3 *db);

#endif
