// A file system in user space that shows a folder as a difficult disk would, for ./run.
//
//   faults FOLDER MOUNT [stick] [late] [coarse] [behind=SECONDS] [options of FUSE]
//
//   stick           no second names, no renaming but over another file, no memory that programs
//                   share, and reads that return less than there is
//   late            a lack of room is reported by no write, only when a file is closed or
//                   synchronized; SIGUSR1 begins and ends it
//   coarse          a clock of two seconds
//   behind=SECONDS  a clock that is so much behind ours; a negative number is ahead
#define FUSE_USE_VERSION 35
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int root;
static int is_stick;
static int is_late;
static int is_coarse;
static long behind;
static volatile sig_atomic_t has_no_room;

static void turn(int signal) {
  (void)signal;
  has_no_room = !has_no_room;
}

// A path below the folder.
static const char *below(const char *path) { return path[1] ? path + 1 : "."; }

static int result(long value) { return value < 0 ? -errno : (int)value; }

static int descriptor(const struct fuse_file_info *file) { return (int)file->fh; }

// What the clock of this disk says of a moment.
static void tell_as_the_disk(struct timespec *time) {
  time->tv_sec -= behind;
  if (!is_coarse) return;
  time->tv_sec -= time->tv_sec % 2;
  time->tv_nsec = 0;
}

static int get_status(const char *path, struct stat *status, struct fuse_file_info *file) {
  int done = file ? fstat(descriptor(file), status)
                  : fstatat(root, below(path), status, AT_SYMLINK_NOFOLLOW);
  if (done < 0) return -errno;
  tell_as_the_disk(&status->st_mtim);
  tell_as_the_disk(&status->st_ctim);
  return 0;
}

static int set_dates(const char *path, const struct timespec dates[2],
                     struct fuse_file_info *file) {
  struct timespec own[2] = {dates[0], dates[1]};
  for (int i = 0; i < 2; i++)
    if (own[i].tv_nsec != UTIME_NOW && own[i].tv_nsec != UTIME_OMIT) own[i].tv_sec += behind;
  return result(file ? futimens(descriptor(file), own)
                     : utimensat(root, below(path), own, AT_SYMLINK_NOFOLLOW));
}

static int list(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
                struct fuse_file_info *file, enum fuse_readdir_flags flags) {
  (void)offset, (void)file, (void)flags;
  int folder = openat(root, below(path), O_RDONLY | O_DIRECTORY);
  DIR *stream = folder < 0 ? NULL : fdopendir(folder);
  if (!stream) return -errno;
  for (struct dirent *entry; (entry = readdir(stream));) fill(buffer, entry->d_name, NULL, 0, 0);
  closedir(stream);
  return 0;
}

static int open_at(const char *path, int flags, mode_t mode, struct fuse_file_info *file) {
  int opened = openat(root, below(path), flags & ~O_APPEND, mode);
  if (opened < 0) return -errno;
  file->fh = (uint64_t)opened;
  file->direct_io = is_stick;
  return 0;
}
static int open_file(const char *path, struct fuse_file_info *file) {
  return open_at(path, file->flags, 0, file);
}
static int make_file(const char *path, mode_t mode, struct fuse_file_info *file) {
  return open_at(path, file->flags | O_CREAT, mode, file);
}

static int read_file(const char *path, char *bytes, size_t count, off_t offset,
                     struct fuse_file_info *file) {
  (void)path;
  if (is_stick && count > 1000) count = 1000;
  return result(pread(descriptor(file), bytes, count, offset));
}
static int write_file(const char *path, const char *bytes, size_t count, off_t offset,
                      struct fuse_file_info *file) {
  (void)path;
  // Taken, and then lost: as by a server that sees to the room at the end.
  if (is_late && has_no_room) return (int)count;
  return result(pwrite(descriptor(file), bytes, count, offset));
}
static int end(void) { return is_late && has_no_room ? -ENOSPC : 0; }
static int flush_file(const char *path, struct fuse_file_info *file) {
  (void)path;
  int was_written = (file->flags & O_ACCMODE) != O_RDONLY;
  return was_written ? end() : 0;
}
static int sync_file(const char *path, int only_data, struct fuse_file_info *file) {
  (void)path, (void)only_data;
  return end() ? end() : result(fsync(descriptor(file)));
}
static int sync_folder(const char *path, int only_data, struct fuse_file_info *file) {
  (void)path, (void)only_data, (void)file;
  return is_stick ? -EINVAL : 0;
}
static int close_file(const char *path, struct fuse_file_info *file) {
  (void)path;
  return result(close(descriptor(file)));
}
static int cut(const char *path, off_t size, struct fuse_file_info *file) {
  if (file) return result(ftruncate(descriptor(file), size));
  int opened = openat(root, below(path), O_WRONLY);
  if (opened < 0) return -errno;
  int done = result(ftruncate(opened, size));
  close(opened);
  return done;
}

static int lock_file(const char *path, struct fuse_file_info *file, int operation) {
  (void)path;
  return result(flock(descriptor(file), operation));
}

static int link_file(const char *path, const char *other) {
  return is_stick ? -EPERM : result(linkat(root, below(path), root, below(other), 0));
}
static int rename_file(const char *path, const char *other, unsigned int flags) {
  if (flags && is_stick) return -EINVAL;
  return result(renameat2(root, below(path), root, below(other), flags));
}
static int remove_file(const char *path) { return result(unlinkat(root, below(path), 0)); }
static int make_folder(const char *path, mode_t mode) {
  return result(mkdirat(root, below(path), mode));
}
static int remove_folder(const char *path) {
  return result(unlinkat(root, below(path), AT_REMOVEDIR));
}
static int set_mode(const char *path, mode_t mode, struct fuse_file_info *file) {
  if (is_stick) return -EPERM;
  return result(file ? fchmod(descriptor(file), mode) : fchmodat(root, below(path), mode, 0));
}
static int find_room(const char *path, struct statvfs *status) {
  (void)path;
  return result(fstatvfs(root, status));
}

static const struct fuse_operations operations = {
    .getattr = get_status, .utimens = set_dates,     .readdir = list,      .open = open_file,
    .create = make_file,   .read = read_file,        .write = write_file,  .flush = flush_file,
    .fsync = sync_file,    .fsyncdir = sync_folder,  .release = close_file, .truncate = cut,
    .flock = lock_file,    .link = link_file,        .rename = rename_file, .unlink = remove_file,
    .mkdir = make_folder,  .rmdir = remove_folder,   .chmod = set_mode,    .statfs = find_room,
};

int main(int count, char **words) {
  if (count < 3) return 64;
  root = open(words[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return perror(words[1]), 66;
  struct fuse_args arguments = FUSE_ARGS_INIT(0, NULL);
  fuse_opt_add_arg(&arguments, words[0]);
  for (int i = 2; i < count; i++) {
    if (strcmp(words[i], "stick") == 0) is_stick = 1;
    else if (strcmp(words[i], "late") == 0) is_late = 1;
    else if (strcmp(words[i], "coarse") == 0) is_coarse = 1;
    else if (strncmp(words[i], "behind=", 7) == 0) behind = atol(words[i] + 7);
    else fuse_opt_add_arg(&arguments, words[i]);
  }
  struct sigaction action = {.sa_handler = turn, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  return fuse_main(arguments.argc, arguments.argv, &operations, NULL);
}
