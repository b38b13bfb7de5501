# Our own helpers.

# flexsn_embed_text(<target> <header> <variable> <file>...): makes <header> in the build tree, which defines
# `inline constexpr` pairs {name, text} of the files as flexsn::<variable>, and puts it on <target>'s include path.
# Raw string literals hold the text, cut into pieces that every compiler takes.
function(flexsn_embed_text target header variable)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${header})
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DVARIABLE=${variable} "-DFILES=${ARGN}" -P ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake VERBATIM)
  target_sources(${target} PRIVATE ${output})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# flexsn_tablegen(<name> <td> <flags>...): runs mlir-tblgen once per "<suffix>=<generator flags>" pair, e.g.
# flexsn_tablegen(NeuronOps NeuronOps.td "h.inc=-gen-op-decls" "cpp.inc=-gen-op-defs"), and makes the target <name>IncGen.
function(flexsn_tablegen name td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.*)$" matched "${pair}")
    set(suffix ${CMAKE_MATCH_1})
    separate_arguments(flags UNIX_COMMAND "${CMAKE_MATCH_2}")
    mlir_tablegen(${name}.${suffix} ${flags} EXTRA_INCLUDES ${CMAKE_SOURCE_DIR})
  endforeach()
  add_public_tablegen_target(${name}IncGen)
endfunction()

# flexsn_build_id(<target> <folder or file>...): makes BuildId.h, an id of the files and of what the folders hold, in the
# target's build folder.
function(flexsn_build_id target)
  set(files "")
  foreach(folder IN LISTS ARGN)
    if(NOT IS_DIRECTORY ${CMAKE_SOURCE_DIR}/${folder})
      list(APPEND files ${folder})
      continue()
    endif()
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
      ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.h ${CMAKE_SOURCE_DIR}/${folder}/*.td
      ${CMAKE_SOURCE_DIR}/${folder}/*.def ${CMAKE_SOURCE_DIR}/${folder}/*.cuh)
    list(APPEND files ${found})
  endforeach()
  list(SORT files)
  list(TRANSFORM files PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/BuildId.h
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${CMAKE_CURRENT_BINARY_DIR}/BuildId.h -DVERSION=${PROJECT_VERSION}
            -DROOT=${CMAKE_SOURCE_DIR} "-DFILES=${files}" -P ${CMAKE_SOURCE_DIR}/cmake/BuildId.cmake
    DEPENDS ${paths} ${CMAKE_SOURCE_DIR}/cmake/BuildId.cmake VERBATIM)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/BuildId.h)
endfunction()
