/* Preloaded into a process, gives it a file system whose locks fail with the error FAKE_LOCKS, or
   if that is 0 never refuse, as those of another host; and a host of the name FAKE_HOST. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>

int flock(int fd, int operation)
{
    const char *error = getenv("FAKE_LOCKS");
    int (*next)(int, int) = dlsym(RTLD_NEXT, "flock");
    if (!error) return next(fd, operation);
    errno = atoi(error);
    return errno ? -1 : 0;
}

int uname(struct utsname *name)
{
    const char *host = getenv("FAKE_HOST");
    int (*next)(struct utsname *) = dlsym(RTLD_NEXT, "uname");
    int result = next(name);
    if (!result && host) strncpy(name->nodename, host, sizeof name->nodename - 1);
    return result;
}
