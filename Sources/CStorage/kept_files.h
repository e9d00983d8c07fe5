#ifndef SNIPPET_KEPT_FILES_H
#define SNIPPET_KEPT_FILES_H

// Whether a descriptor of SQLite is that of a file, or its log, which is written early.
int snippet_is_written_early(int descriptor);

// Sees the writes of SQLite from now on.
void snippet_watch_writes(void);

#endif
