// The C interface's structs that begin with struct_size: how a caller built with an older or newer header is
// understood.
#pragma once

#include "runtime/Error.h"

#include <cstddef>
#include <cstring>

namespace flexsn {

/// A copy of what the caller gave, or all zero for NULL. Fields that the caller's header does not know are zero; fields
/// that this library does not know must be. `oldest` is the struct's size in the version that brought it.
template <class T> T readStruct(const T *given, std::string_view name, size_t oldest = sizeof(T)) {
  T copy{};
  if (!given)
    return copy;
  size_t size = given->struct_size;
  if (size < oldest)
    fail(FLEXSN_ERROR_ARGUMENT, "{}: struct_size is {}, but it is at least {}; set it to sizeof the struct", name, size,
         oldest);
  if (size > 4096) // no version's struct: the field was never set
    fail(FLEXSN_ERROR_ARGUMENT, "{}: struct_size is {}; set it to sizeof the struct", name, size);
  const char *bytes = reinterpret_cast<const char *>(given);
  for (size_t i = sizeof(T); i < size; ++i)
    if (bytes[i] != 0)
      fail(FLEXSN_ERROR_UNSUPPORTED, "{}: byte {} is set, which flexsn {} does not know; it is older than the header",
           name, i, FLEXSN_VERSION);
  std::memcpy(&copy, given, size < sizeof(T) ? size : sizeof(T));
  return copy;
}

/// Fills the part of the caller's struct that its header knows.
template <class T> void writeStruct(T *out, std::string_view name, T values, size_t oldest = sizeof(T)) {
  require(out, name);
  size_t size = out->struct_size;
  if (size < oldest)
    fail(FLEXSN_ERROR_ARGUMENT, "{}: struct_size is {}, but it is at least {}; set it to sizeof the struct", name, size,
         oldest);
  values.struct_size = size;
  std::memcpy(out, &values, size < sizeof(T) ? size : sizeof(T));
}

/// An enumerator of the interface, or FLEXSN_ERROR_ARGUMENT. `count` is the number of enumerators, from 0 on.
inline int32_t requireEnum(int32_t value, int32_t count, std::string_view name) {
  if (value < 0 || value >= count)
    fail(FLEXSN_ERROR_ARGUMENT, "{}: there is no enumerator {}", name, value);
  return value;
}

} // namespace flexsn
