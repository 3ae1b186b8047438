/* Preloaded into a process, logs what it writes into the file named by WATCH_FILE and what it notes
   in the file named by WATCH_NOTES, in one sequence, in the file named by WATCH_LOG; a journal of
   the file is another one. A record is a
   letter, two numbers of eight bytes, and for a write its bytes: W offset length, T length, N. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(int fd, const char *variable)
{
    char link[64], path[4096];
    const char *wanted = getenv(variable);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || !wanted) return 0;
    path[length] = 0;
    return strstr(path, wanted) && !strstr(path, ".journal");
}

static void record(char kind, int64_t a, int64_t b, const void *bytes, size_t length)
{
    static FILE *log;
    if (!log) log = fopen(getenv("WATCH_LOG"), "wb");
    fwrite(&kind, 1, 1, log);
    fwrite(&a, sizeof a, 1, log);
    fwrite(&b, sizeof b, 1, log);
    fwrite(bytes, 1, length, log);
    fflush(log);
}

static ssize_t noted(const char *name, int fd, const void *bytes, size_t length, off_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
    ssize_t written = next(fd, bytes, length, offset);
    if (is(fd, "WATCH_FILE")) record('W', offset, written, bytes, written);
    else if (is(fd, "WATCH_NOTES")) record('N', atoll(bytes), 0, NULL, 0);
    return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
    return noted("pwrite", fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset)
{
    return noted("pwrite64", fd, bytes, length, offset);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    off_t offset = is(fd, "WATCH_FILE") ? lseek(fd, 0, SEEK_CUR) : -1;
    ssize_t written = next(fd, bytes, length);
    if (offset >= 0) record('W', offset, written, bytes, written);
    return written;
}

int ftruncate(int fd, off_t length)
{
    int (*next)(int, off_t) = dlsym(RTLD_NEXT, "ftruncate");
    int result = next(fd, length);
    if (is(fd, "WATCH_FILE")) record('T', length, 0, NULL, 0);
    return result;
}

int ftruncate64(int fd, off_t length)
{
    return ftruncate(fd, length);
}
