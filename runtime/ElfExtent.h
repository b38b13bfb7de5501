// Whether a shared library is whole.
#pragma once

#include <string>

namespace flexsn {

/// What is wrong with the ELF file at `path`, or "" for one that dlopen may map: a file that ends before what its
/// headers say (a copy that was broken off, a full disk) is mapped all the same, and the first access behind its end
/// kills the process. Also "" for a name without a slash, which the dynamic loader looks up, and for what it refuses by
/// itself: no file, or none of ELF.
std::string elfFault(const std::string &path);

} // namespace flexsn
