/* Part of flexsn.h, whose rules hold here too: the disk cache, for tools that look after it. Programs use it by
 * themselves. */
#ifndef FLEXSN_CACHE_H
#define FLEXSN_CACHE_H

#include "flexsn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Programs that were compiled are kept in files, for this and other processes. The cache only ever saves time: whatever
 * happens to it, the functions above do and say the same. docs/cache.md has its rules. */
typedef FLEXSN_ENUM(flexsn_cache_mode){FLEXSN_CACHE_OFF = 0, FLEXSN_CACHE_READ_ONLY = 1,
                                       FLEXSN_CACHE_ON = 2} flexsn_cache_mode;

/* What the environment said when it was read: FLEXSN_CACHE, FLEXSN_CACHE_DIR, XDG_CACHE_HOME and HOME,
 * FLEXSN_CACHE_SIZE, FLEXSN_CACHE_ENTRIES. */
typedef struct flexsn_cache_settings {
  size_t struct_size;
  const char *directory; /* absolute; "" if there is none */
  const char *problem;   /* which variable could not be followed, and why; "" if all could */
  uint64_t max_bytes;
  uint64_t max_entries;
  int32_t mode;     /* flexsn_cache_mode */
  int32_t reserved; /* zero */
} flexsn_cache_settings;

/* Fills *out, whose struct_size is set. The strings live for ever. */
FLEXSN_API flexsn_status flexsn_cache_settings_get(flexsn_cache_settings *out);

typedef FLEXSN_ENUM(flexsn_cache_action){
    FLEXSN_CACHE_LIST = 0,   /* looks at every entry */
    FLEXSN_CACHE_VERIFY = 1, /* and removes those that are damaged, unless the cache is read-only */
    FLEXSN_CACHE_CLEAR = 2   /* removes all */
} flexsn_cache_action;

typedef struct flexsn_cache_report flexsn_cache_report; /* what an action saw and did */

typedef struct flexsn_cache_entry {
  size_t struct_size;
  const char *key;    /* 64 hexadecimal digits, with which the file's name begins */
  const char *label;  /* what is in it: "LIF inference f32 linear"; "" if it is damaged */
  const char *damage; /* what is wrong with it; "" if nothing is */
  uint64_t bytes;     /* size of the file */
  int64_t used;       /* when it was last used, to the hour: seconds since 1970 */
  int32_t removed;    /* 1: it is gone now */
  int32_t reserved;   /* zero */
} flexsn_cache_entry;

/* Does the action in the directory of the settings, whatever the mode says. An absent directory is an empty cache.
 * FLEXSN_ERROR_VALUE if there is no directory, it cannot be read, or entries are to be removed and cannot be. */
FLEXSN_API flexsn_status flexsn_cache_inspect(flexsn_cache_action action, flexsn_cache_report **out);
/* Number of entries, 0 for NULL. */
FLEXSN_API size_t flexsn_cache_report_count(const flexsn_cache_report *report);
/* Fills *out, whose struct_size is set, with entry `index`; the last used comes first. The strings live as long as the
 * report. */
FLEXSN_API flexsn_status flexsn_cache_report_entry(const flexsn_cache_report *report, size_t index,
                                                   flexsn_cache_entry *out);
FLEXSN_API void flexsn_cache_report_free(flexsn_cache_report *report);

#ifdef __cplusplus
}
#endif
#endif /* FLEXSN_CACHE_H */
