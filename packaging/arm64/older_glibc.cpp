// What the static Swift libraries of Debian sid expect of a C and C++ library that is newer than Debian 12's (glibc 2.36,
// GCC 12). Linked into the program for arm64, which then runs on Debian 12 and 13 alike.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream> // Its initialiser makes the streams, as the one below does in a newer library.

extern "C" {
// glibc 2.38 reads numbers as C23 has it: with base 0 or 2 also "0b…", which nothing here relies on.
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

// glibc 2.38. Both return the length of what they tried to make.
size_t strlcpy(char *target, const char *source, size_t size) {
  size_t length = strlen(source);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(target, source, copied);
    target[copied] = 0;
  }
  return length;
}

size_t strlcat(char *target, const char *source, size_t size) {
  size_t length = strnlen(target, size);
  if (length == size) return size + strlen(source);
  return length + strlcpy(target + length, source, size - length);
}

// GCC 13: programs ask the library to make the streams.
void _ZSt21ios_base_library_initv(void) {}
}
