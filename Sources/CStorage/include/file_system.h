#ifndef SNIPPET_FILE_SYSTEM_H
#define SNIPPET_FILE_SYSTEM_H

/// The number by which Linux identifies the kind of file system that holds a path.
///
/// @return The number; 0 if it is unknown. On other systems, the number of NFS for any file system
/// that is not local, and 0 otherwise.
unsigned int snippet_file_system_kind(const char *path);

/// Waits until everything written to the file system of a folder is on its disk, and reports failed
/// writes, where the system does.
///
/// @param folder A descriptor of the folder.
/// @return 0, or -1 with the error in `errno`.
int snippet_sync_file_system(int folder);

/// Tells whether a path is the root of a mount, as a single file is that is mounted elsewhere.
///
/// @return 1 if it is; 0 if it is not, or if the system does not tell.
int snippet_is_mount_root(const char *path);

/// Tells which attribute protects a file, or what is in a folder, from changes, as chattr sets it.
///
/// @return 2 if nothing can be changed, 1 if it can only grow; 0 if there is none, or if the system
/// does not tell.
int snippet_protection(const char *path);

/// Renames a file, unless the new name is taken.
///
/// @param folder A descriptor of the folder at which both names start, or AT_FDCWD.
/// @return 0, or -1 with the error in `errno`: EINVAL where the file system cannot do that.
int snippet_rename_to_new(int folder, const char *name, const char *other);

/// Exchanges the names of two files in one step.
///
/// @param folder A descriptor of the folder at which both names start.
/// @return 0, or -1 with the error in `errno`: EINVAL where the file system cannot do that.
int snippet_exchange(int folder, const char *name, const char *other);

/// Gives a file the owner, the group, the extended attributes and the access list of another one, as
/// far as the system allows that. The mode may change, and is to be set after that.
///
/// @param file A descriptor of the file, open for writing.
/// @param former A descriptor of the other one.
void snippet_take_owner(int file, int former);

#endif
