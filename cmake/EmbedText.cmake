# Run by flexsn_embed_text: writes FILES into OUTPUT as an array of {name, text}.
set(body "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  # 8,000 characters a literal: compilers must take 65,536 (C++ [implimits]), but warn from 4,096 in pedantic C.
  string(LENGTH "${text}" length)
  set(pieces "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND pieces "\n     R\"~~~~(${piece})~~~~\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  if(pieces STREQUAL "")
    set(pieces "\"\"")
  endif()
  string(APPEND body "    {\"${name}\",${pieces}},\n")
endforeach()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Made by cmake/EmbedText.cmake.
#pragma once
#include <string_view>
namespace flexsn {
struct EmbeddedText { std::string_view name, text; };
inline constexpr EmbeddedText @VARIABLE@[] = {
@body@};
} // namespace flexsn
]])
