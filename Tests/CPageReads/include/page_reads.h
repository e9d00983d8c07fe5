#ifndef SNIPPET_PAGE_READS_H
#define SNIPPET_PAGE_READS_H

/// Counts, page by page, what SQLite reads of one database file, from the file itself or through
/// mapped memory.
///
/// Every connection that this process opens from now on takes part, so an exit test must call it.
/// Pages that stand in the log are not counted: it must have been folded into the file.
///
/// @param path The path as SQLite is given it; the counts begin at 0.
/// @param page_size The size of the file's pages.
/// @return The result code of SQLite.
int snippet_page_reads_watch(const char *path, unsigned int page_size);

/// How often a page was read.
///
/// @param page The number of the page, from 1.
unsigned int snippet_page_reads_of(unsigned int page);

/// Begins again to count from 0.
void snippet_page_reads_reset(void);

#endif
