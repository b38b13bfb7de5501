# Writes OUTPUT: the id of this build, made of VERSION and the contents of FILES (relative to ROOT). The same sources give the
# same id on every machine and day; any change to the compiler gives another, so that no cache serves what it compiled before.
set(all "")
foreach(file IN LISTS FILES)
  file(SHA256 ${ROOT}/${file} hash)
  string(APPEND all "${file} ${hash}\n")
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING ${id} 0 16 id)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Made by cmake/BuildId.cmake.
#pragma once
namespace flexsn {
inline constexpr char buildIdText[] = "@VERSION@-@id@";
} // namespace flexsn
]])
