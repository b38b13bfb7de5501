# All that knows how Debian packages LLVM and MLIR. Targets that come out: flexsn::mlir (headers and archives) and
# flexsn::llvm-support (LLVMSupport alone, for the front end), both static.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir) # "22" alone is rejected
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS}) # mlir_tablegen reads the directory property, no target property
include_directories(${CMAKE_SOURCE_DIR})
include_directories(SYSTEM ${CMAKE_BINARY_DIR}) # generated code has unused parameters

# The MLIR archives name the LLVM dylib ("LLVM"): give them the LLVM archives instead.
llvm_map_components_to_libnames(llvm_archives core support orcjit native passes)
add_library(flexsn_llvm INTERFACE)
target_link_libraries(flexsn_llvm INTERFACE ${llvm_archives})
get_property(mlir_archives GLOBAL PROPERTY MLIR_ALL_LIBS)
foreach(archive IN LISTS mlir_archives)
  get_target_property(needs ${archive} INTERFACE_LINK_LIBRARIES)
  if(needs)
    list(TRANSFORM needs REPLACE "^LLVM$" flexsn_llvm)
    set_target_properties(${archive} PROPERTIES INTERFACE_LINK_LIBRARIES "${needs}")
  endif()
endforeach()

# LLVMSupport names the shared zlib, zstd and z3: take the archives of the first two, drop z3 (nothing we use calls it).
get_target_property(needs LLVMSupport INTERFACE_LINK_LIBRARIES)
list(FILTER needs EXCLUDE REGEX "z3|ZLIB|zstd")
find_library(FLEXSN_LIBZ NAMES libz.a REQUIRED)
find_library(FLEXSN_LIBZSTD NAMES libzstd.a REQUIRED)
set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${needs};${FLEXSN_LIBZ};${FLEXSN_LIBZSTD}")

add_library(flexsn_llvm_support INTERFACE)
add_library(flexsn::llvm-support ALIAS flexsn_llvm_support)
target_include_directories(flexsn_llvm_support SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_options(flexsn_llvm_support INTERFACE -Wall -Wextra)
target_link_libraries(flexsn_llvm_support INTERFACE LLVMSupport fmt::fmt-header-only)

add_library(flexsn_mlir INTERFACE)
add_library(flexsn::mlir ALIAS flexsn_mlir)
target_include_directories(flexsn_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_compile_options(flexsn_mlir INTERFACE -Wall -Wextra)
target_link_libraries(flexsn_mlir INTERFACE
  MLIRArithDialect MLIRFuncDialect MLIRSCFDialect MLIRMathDialect MLIRVectorDialect MLIRLLVMDialect
  MLIRParser MLIRPass MLIRTransforms MLIRTransformUtils
  MLIRArithToLLVM MLIRSCFToControlFlow MLIRControlFlowToLLVM MLIRFuncToLLVM MLIRMathToLLVM MLIRVectorToLLVMPass
  MLIRReconcileUnrealizedCasts MLIRTargetLLVMIRExport MLIRBuiltinToLLVMIRTranslation MLIRLLVMToLLVMIRTranslation
  fmt::fmt-header-only)

# One precompiled header for everything that includes MLIR. FlexsnNeuron owns it, the others reuse it.
set(flexsn_pch_headers
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/SCF/IR/SCF.h> <mlir/Dialect/Vector/IR/VectorOps.h> <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/IR/OpImplementation.h> <mlir/Pass/Pass.h> <mlir/Transforms/DialectConversion.h>)
function(flexsn_use_pch target)
  if(FLEXSN_PCH AND target STREQUAL "FlexsnNeuron")
    target_precompile_headers(${target} PRIVATE ${flexsn_pch_headers})
  elseif(FLEXSN_PCH)
    target_precompile_headers(${target} REUSE_FROM FlexsnNeuron)
  endif()
endfunction()
