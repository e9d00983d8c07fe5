#ifndef SNIPPET_INDEX_ROOM_H
#define SNIPPET_INDEX_ROOM_H

/// Lets SQLite allocate the index of a log in whole pages, from now on, in this process.
///
/// SQLite maps the index (`-shm`), and makes room for a page of it by writing the page's last byte.
/// Where the blocks of the file system are smaller than a page, that allocates only the last of
/// them, and a full disk ends the process with SIGBUS at the first touch of another. With this the
/// write fails instead, as on other full disks.
///
/// It may be called any number of times. On systems other than Linux it does nothing.
void snippet_allocate_index_pages(void);

#endif
