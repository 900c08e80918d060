/* Runs the kept inputs of a target once each, without libFuzzer, and prints a line for each as cmocka does. */
#define _GNU_SOURCE /* scandir() */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MEGABYTES_MAX 512

/* Called by the targets' own changes, which do not run here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) {
  (void)data, (void)max_size;
  return size;
}

static uint8_t *read_input(const char *folder, const char *name, size_t *size) {
  char path[8192];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *data = malloc(*size + 1);
  if (!data || fread(data, 1, *size, file) != *size) abort();
  fclose(file);
  return data;
}

/* @return Whether it took no more memory than an input may. A crash, or too much time, ends the program after the name. */
static bool replay(const char *folder, const char *name) {
  size_t size = 0;
  uint8_t *data = read_input(folder, name, &size);
  printf("[ RUN      ] %s\n", name);
  fflush(stdout);
  if (data) LLVMFuzzerTestOneInput(data, size);
  free(data);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const long megabytes = usage.ru_maxrss / 1024;
  const bool good = data && megabytes <= MEGABYTES_MAX;
  if (good)
    printf("[       OK ] %s\n", name);
  else
    printf("%s: %ld MB, expected at most %d MB\n", name, megabytes, MEGABYTES_MAX);
  return good;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_input(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

int main(int count, char **arguments) {
  struct dirent **entries = NULL;
  const char *slash = strrchr(arguments[0], '/'), *program = slash ? slash + 1 : arguments[0];
  char folder[4096];
  /* build/tests/test_fuzz_gset runs tests/fuzz/corpus/gset. */
  snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", strlen(program) > 10 ? program + 10 : program);
  if (count > 1) snprintf(folder, sizeof folder, "%s", arguments[1]);
  const int found = scandir(folder, &entries, is_input, by_name);
  if (found <= 0) return printf("%s: no inputs, expected the target's kept ones\n", folder), 1;
  int failed = 0;
  for (int i = 0; i < found; i++) failed += !replay(folder, entries[i]->d_name), free(entries[i]);
  free(entries);
  if (failed == 0) printf("[==========] %d test(s) run.\n", found);
  return failed > 0;
}
