#include "geometry/import_files.h"

#include "core/file.h"

#include <assimp/types.h>
#include <stdio.h>
#include <string.h>

/* --- an open file, in memory ------------------------------------------------------------------------------ */

typedef struct lwi_import_stream {
  struct aiFile file; /* What Assimp is given; its UserData points to this struct. */
  struct lwi_import_stream *next;
  lwi_import_files *files;
  const unsigned char *data;
  size_t size, at;
  unsigned char *own; /* To be freed with it. NULL: the level, which stays. */
} stream;

static stream *stream_of(struct aiFile *file) {
  return (stream *)(void *)file->UserData;
}

static size_t read_items(struct aiFile *file, char *to, size_t size, size_t count) {
  stream *s = stream_of(file);
  if (size == 0) return 0;
  const size_t left = (s->size - s->at) / size, items = count < left ? count : left;
  memcpy(to, s->data + s->at, items * size);
  s->at += items * size;
  return items;
}

static size_t write_items(struct aiFile *file, const char *from, size_t size, size_t count) {
  (void)file, (void)from, (void)size, (void)count;
  return 0;
}

static size_t tell(struct aiFile *file) {
  return stream_of(file)->at;
}

static size_t file_size(struct aiFile *file) {
  return stream_of(file)->size;
}

/* Offsets back are huge unsigned numbers, which wrap round as wanted. */
static aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
  stream *s = stream_of(file);
  const size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? s->at : s->size;
  if (from + offset > s->size) return aiReturn_FAILURE;
  s->at = from + offset;
  return aiReturn_SUCCESS;
}

static void flush(struct aiFile *file) {
  (void)file;
}

static struct aiFile *open_stream(lwi_import_files *files, const unsigned char *data, size_t size,
                                  unsigned char *own) {
  stream *s = lwi_alloc_zero(&files->memory, sizeof *s);
  if (!s) {
    lwi_free(&files->memory, own, size);
    return NULL;
  }
  *s = (stream){.file = {.ReadProc = read_items,
                         .WriteProc = write_items,
                         .TellProc = tell,
                         .FileSizeProc = file_size,
                         .SeekProc = seek,
                         .FlushProc = flush,
                         .UserData = (aiUserData)(void *)s},
                .next = files->open,
                .files = files,
                .data = data,
                .size = size,
                .own = own};
  files->open = s;
  return &s->file;
}

static void free_stream(stream *s) {
  lwi_memory *memory = &s->files->memory;
  lwi_free(memory, s->own, s->size);
  lwi_free(memory, s, sizeof *s);
}

static void close_stream(struct aiFileIO *io, struct aiFile *file) {
  (void)io;
  stream *s = stream_of(file);
  stream **link = &s->files->open;
  while (*link != s) link = &(*link)->next;
  *link = s->next;
  free_stream(s);
}

/* --- references ------------------------------------------------------------------------------------------- */

static struct aiFile *refuse(lwi_import_files *files, const char *uri, const char *why) {
  if (!files->refused[0])
    snprintf(files->refused, sizeof files->refused, "it refers to '%.120s', %s", uri, why);
  return NULL;
}

static bool is_allowed(const lwi_import_files *files, const char *resolved) {
  for (int i = 0; i < files->root_count; ++i)
    if (lwi_path_is_within(resolved, files->roots[i])) return true;
  return false;
}

/* Assimp puts what the level's name has up to its last separator, of either kind, before each reference. */
static const char *uri_of(const char *level, const char *name) {
  size_t folder = 0;
  for (size_t i = 0; level[i]; ++i)
    if (level[i] == '/' || level[i] == '\\') folder = i + 1;
  if (strncmp(name, level, folder) != 0) return name;
  const bool added = folder > 0 && level[folder - 1] == '\\';
  return name + folder + (added ? 1 : 0);
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* %20 is a space. What is no escape, or one of a zero byte, stays as it is. */
static void decode(char *text) {
  char *to = text;
  for (const char *from = text; *from; ++from) {
    const int high = *from == '%' ? hex_digit(from[1]) : -1, low = high >= 0 ? hex_digit(from[2]) : -1;
    if (low >= 0 && high + low > 0) {
      *to++ = (char)(16 * high + low);
      from += 2;
    } else {
      *to++ = *from;
    }
  }
  *to = 0;
}

/* From the root if the URI begins there, else from the level's folder. @param[out] path  [LWI_PATH_SIZE]
   @return false: too long. */
static bool find_path(const char *level, const char *uri, bool decoded, char *path) {
  char tail[LWI_PATH_SIZE];
  const char *const last = strrchr(level, '/');
  const int folder = last ? (int)(last - level) + 1 : 0;
  if (strncmp(uri, "file://", 7) == 0) uri += 7;
  if (strlen(uri) >= sizeof tail) return false;
  memcpy(tail, uri, strlen(uri) + 1);
  if (decoded) decode(tail);
  if (tail[0] != '/') return snprintf(path, LWI_PATH_SIZE, "%.*s%s", folder, level, tail) < LWI_PATH_SIZE;
  memcpy(path, tail, strlen(tail) + 1);
  return true;
}

/* A file may also have the URI itself as its name: some programs do not escape what they write. */
static bool resolve(const char *level, const char *uri, char *resolved) {
  char path[LWI_PATH_SIZE];
  return (find_path(level, uri, true, path) && lwi_path_resolve(path, resolved)) ||
         (find_path(level, uri, false, path) && lwi_path_resolve(path, resolved));
}

/* What the URI resolves to is opened, so that a link cannot lead elsewhere. Its contents never get into a message. */
static struct aiFile *open_reference(lwi_import_files *files, const char *uri) {
  char resolved[LWI_PATH_SIZE], why[100];
  if (!resolve(files->job->file, uri, resolved)) return refuse(files, uri, "which does not exist");
  if (!is_allowed(files, resolved))
    return refuse(files, uri, "which is not in the level's folder, nor in `allowed`");
  unsigned char *data;
  size_t size;
  const char *reason;
  switch (lwi_file_read_up_to(resolved, (size_t)files->left, &files->memory, &data, &size, &reason)) {
  case LW_OK: break;
  case LW_FILE: snprintf(why, sizeof why, "which cannot be read: %s", reason); return refuse(files, uri, why);
  case LW_LIMIT: return refuse(files, uri, "with which its files are larger than `memory`");
  default: return refuse(files, uri, "for which memory ran out");
  }
  files->left -= size;
  return open_stream(files, data, size, data);
}

static struct aiFile *open_file(struct aiFileIO *io, const char *name, const char *mode) {
  lwi_import_files *files = (lwi_import_files *)(void *)io->UserData;
  if (mode[0] != 'r') return NULL;
  if (strcmp(name, files->job->file) == 0) return open_stream(files, files->level, files->level_size, NULL);
  if (!files->may_refer || files->refused[0]) return NULL;
  return open_reference(files, uri_of(files->job->file, name));
}

/* A root that is gone since it was checked allows nothing. */
static void add_root(lwi_import_files *files, const char *path) {
  if (lwi_path_resolve(path, files->roots[files->root_count])) ++files->root_count;
}

static bool find_roots(lwi_import_files *files) {
  const lwi_import_job *job = files->job;
  char folder[LWI_PATH_SIZE];
  files->roots = lwi_alloc(&files->memory, ((size_t)job->allowed_count + 1) * sizeof *files->roots);
  if (!files->roots) return false;
  snprintf(folder, sizeof folder, "%s", job->file);
  if (!lwi_path_up(folder))
    add_root(files, ".");
  else
    add_root(files, folder[0] ? folder : "/");
  for (int i = 0; i < job->allowed_count; ++i) add_root(files, job->allowed[i]);
  return true;
}

/* --- the level -------------------------------------------------------------------------------------------- */

bool lwi_import_files_insert(lwi_import_files *files, size_t at, const char *text) {
  const size_t length = strlen(text);
  unsigned char *data = lwi_resize(&files->memory, files->level, files->level_size, files->level_size + length);
  if (!data) return false;
  memmove(data + at + length, data + at, files->level_size - at);
  memcpy(data + at, text, length);
  files->level = data;
  files->level_size += length;
  return true;
}

lwi_plugin_status lwi_import_files_open(lwi_import_files *files, const lwi_import_job *job, char *message) {
  const char *reason = NULL;
  *files = (lwi_import_files){.job = job, .memory = lwi_memory_make(NULL)};
  files->io = (struct aiFileIO){
      .OpenProc = open_file, .CloseProc = close_stream, .UserData = (aiUserData)(void *)files};
  switch (lwi_file_read_up_to(job->file, (size_t)job->memory_max, &files->memory, &files->level,
                              &files->level_size, &reason)) {
  case LW_OK: break;
  case LW_LIMIT: return LWI_PLUGIN_LIMIT;
  case LW_OUT_OF_MEMORY: return LWI_PLUGIN_OUT_OF_MEMORY;
  default: snprintf(message, LWI_PLUGIN_MESSAGE, "%s", reason); return LWI_PLUGIN_FAILED;
  }
  files->left = job->memory_max - files->level_size;
  return find_roots(files) ? LWI_PLUGIN_OK : LWI_PLUGIN_OUT_OF_MEMORY;
}

/* Assimp leaves files open that it fails to read. */
void lwi_import_files_close(lwi_import_files *files) {
  while (files->open) {
    stream *s = files->open;
    files->open = s->next;
    free_stream(s);
  }
  lwi_free(&files->memory, files->level, files->level_size);
  lwi_free(&files->memory, files->roots, ((size_t)files->job->allowed_count + 1) * sizeof *files->roots);
}
