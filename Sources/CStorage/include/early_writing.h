#ifndef SNIPPET_EARLY_WRITING_H
#define SNIPPET_EARLY_WRITING_H

/// Starts to write each full mebibyte of a store's file and of its log to the disk, without waiting.
///
/// Commits and checkpoints wait for the disk (`fdatasync`). Without this the system begins to write
/// only then, while the processor waits. An error of the disk is still reported where SQLite waits
/// for it.
///
/// It ends when the last connection to the file is closed. A file whose locks are not kept, and one
/// on a system other than Linux, is written as ever.
///
/// @param path The path of a file whose locks are kept.
void snippet_begin_writing_early(const char *path);

#endif
