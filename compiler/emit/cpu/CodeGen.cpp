// LLVM dialect -> LLVM IR text, assembly or an object file.
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/CpuTarget.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlow.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h>
#include <mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h>
#include <mlir/Target/LLVMIR/Export.h>

namespace flexsn::cpu {

void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::func::FuncDialect,
                  mlir::vector::VectorDialect, mlir::cf::ControlFlowDialect, mlir::LLVM::LLVMDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

namespace {
/// Collects what LLVM reports; without it an error would end the process.
class Reports : public llvm::DiagnosticHandler {
public:
  explicit Reports(std::string &error) : error(error) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(error);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << '\n';
    }
    return true;
  }

private:
  std::string &error;
};
} // namespace

/// Register allocation takes time by the square of a step's length; a step of more instructions than this, which nobody
/// writes by hand, gets the allocator that walks it once: 64,000 instructions in 3 s in place of 22 s.
static constexpr unsigned mostForOptimalAllocation = 10'000;

/// Runs the code generator's passes. No optimiser's pass is among them.
static bool runCodeGen(llvm::Module &module, llvm::TargetMachine &machine, CodeForm form, std::string &code,
                       std::string &error) {
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  auto type = form == CodeForm::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true)) {
    error = "LLVM cannot write this kind of file for the target";
    return false;
  }
  passes.run(module);
  code.assign(bytes.begin(), bytes.end());
  return error.empty();
}

bool generateCode(mlir::ModuleOp module, const Target &target, CodeForm form, std::string &code, std::string &error) {
  error = checkTarget(target);
  if (!error.empty())
    return false;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(resolveTarget(target), error);
  if (!machine)
    return false;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Reports>(error));
  std::unique_ptr<llvm::Module> llvmModule = mlir::translateModuleToLLVMIR(module, context, "flexsn");
  if (!llvmModule) {
    error = "the module holds what has no LLVM IR";
    return false;
  }
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  if (llvmModule->getInstructionCount() > mostForOptimalAllocation)
    machine->setOptLevel(llvm::CodeGenOptLevel::None);
  if (form != CodeForm::Llvm)
    return runCodeGen(*llvmModule, *machine, form, code, error);
  llvm::raw_string_ostream stream(code);
  llvmModule->print(stream, nullptr);
  return true;
}

} // namespace flexsn::cpu
