#include "start_room.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

// Waits, so that all threads are there at the same time.
static void *wait_for(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

static int has_threads(int count) {
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[64];
  int made = 0;
  pthread_mutex_lock(&gate);
  while (made < count && pthread_create(&threads[made], NULL, wait_for, &gate) == 0) made++;
  pthread_mutex_unlock(&gate);
  for (int index = 0; index < made; index++) pthread_join(threads[index], NULL);
  return made == count;
}

static int has_files(int count) {
  int files[64];
  int opened = 0;
  while (opened < count) {
    int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file < 0) break;
    files[opened++] = file;
  }
  for (int index = 0; index < opened; index++) close(files[index]);
  return opened == count;
}

enum snippet_start_room snippet_start_try(int thread_count, int file_count) {
  if (!has_files(file_count > 64 ? 64 : file_count)) return snippet_start_no_files;
  if (!has_threads(thread_count > 64 ? 64 : thread_count)) return snippet_start_no_threads;
  return snippet_start_has_room;
}
