#ifndef SNIPPET_FILE_SYSTEM_H
#define SNIPPET_FILE_SYSTEM_H

/// The number by which Linux calls the kind of file system that holds a path.
///
/// @return The number; 0 where it cannot be told. Elsewhere that of NFS for any file system that is
/// not local, else 0.
unsigned int snippet_file_system_kind(const char *path);

/// Waits until everything that was written to the file system of a folder is on its disk, and tells
/// of what could not be written, where the system does.
///
/// @param folder A descriptor of the folder.
/// @return 0, or -1 with the error in `errno`.
int snippet_sync_file_system(int folder);

#endif
