// Runs any pass of the pipeline on MLIR text: the tool of the tests and of whoever writes a pass.
#include "compiler/Passes.h"
#include "compiler/Pipeline.h"
#include "compiler/emit/cpu/CpuPasses.h"
#include "compiler/emit/cuda/CudaPasses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  flexsn::registerPipelineDialects(registry);
  registry.insert<mlir::func::FuncDialect>(); // frames the examples of single ops
  flexsn::registerFlexsnPasses();
  flexsn::cpu::registerCpuPasses();
  flexsn::cuda::registerCudaPasses();
  mlir::registerCanonicalizerPass(); // for the tests that show what it may not touch
  mlir::registerSCCPPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "flexsn pass driver\n", registry));
}
