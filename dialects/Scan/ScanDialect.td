// The scan dialect with its enumerations and attributes.
#ifndef FLEXSN_SCAN_DIALECT
#define FLEXSN_SCAN_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Scan_Dialect : Dialect {
  let name = "scan";
  let cppNamespace = "::flexsn::scan";
  let summary = "what one kernel does with memory and time";
  let description = [{
    A `scan.kernel` walks neurons through time: it knows what the caller binds, which states are carried from step to
    step, and how the loops are cut. What is computed stands in its regions as pure ops (docs/ir.md,
    docs/skeleton.md).
  }];
  let dependentDialects = ["::flexsn::neuron::NeuronDialect", "::mlir::math::MathDialect"];
  let useDefaultAttributePrinterParser = 1;
}

class Scan_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::flexsn::scan";
}

def Scan_Role : Scan_Enum<"Role", "what a kernel does with an operand", [
  I32EnumAttrCase<"Param", 0, "param">, I32EnumAttrCase<"Input", 1, "input">, I32EnumAttrCase<"Initial", 2, "initial">,
  I32EnumAttrCase<"Output", 3, "output">, I32EnumAttrCase<"Final", 4, "final">,
  I32EnumAttrCase<"Lengths", 5, "lengths">, I32EnumAttrCase<"Checkpoint", 6, "checkpoint">,
  I32EnumAttrCase<"GradOutput", 7, "grad_output">, I32EnumAttrCase<"GradFinal", 8, "grad_final">,
  I32EnumAttrCase<"GradInput", 9, "grad_input">, I32EnumAttrCase<"GradInitial", 10, "grad_initial">,
  I32EnumAttrCase<"GradParam", 11, "grad_param">]>;

def Scan_Storage : Scan_Enum<"Storage", "how an operand lies in memory", [
  I32EnumAttrCase<"F16", 0, "f16">, I32EnumAttrCase<"BF16", 1, "bf16">, I32EnumAttrCase<"F32", 2, "f32">,
  I32EnumAttrCase<"F64", 3, "f64">, I32EnumAttrCase<"I8", 4, "i8">, I32EnumAttrCase<"I32", 5, "i32">,
  I32EnumAttrCase<"Bool", 6, "bool">, I32EnumAttrCase<"Bits", 7, "bits">]>;

def Scan_Kind : Scan_Enum<"Kind", "what a kernel is for", [
  I32EnumAttrCase<"Inference", 0, "inference">, I32EnumAttrCase<"FinalState", 1, "final_state">,
  I32EnumAttrCase<"Forward", 2, "forward">, I32EnumAttrCase<"Backward", 3, "backward">]>;

def Scan_Layout : Scan_Enum<"Layout", "how the neurons of a step lie in memory", [
  I32EnumAttrCase<"Linear", 0, "linear">, I32EnumAttrCase<"Strided", 1, "strided">]>;

class Scan_Attr<string name, string attrMnemonic> : AttrDef<Scan_Dialect, name> { let mnemonic = attrMnemonic; }

def Scan_OperandAttr : Scan_Attr<"Operand", "operand"> {
  let summary = "one operand of a kernel as the caller binds it";
  let description = [{
    `#scan.operand<"tau", param, f32>`: its name, its role, how it lies in memory, and for a parameter the dims that
    it varies over: `#scan.operand<"tau", param, f32, [channel]>`. `bits` and `lengths` are reserved words that no
    kernel takes yet.
  }];
  let parameters = (ins StringRefParameter<"the name">:$name, EnumParameter<Scan_Role>:$role,
                        EnumParameter<Scan_Storage>:$storage, OptionalArrayRefParameter<"::flexsn::neuron::Dim">:$dims);
  let assemblyFormat = "`<` $name `,` $role `,` $storage (`,` `[` $dims^ `]`)? `>`";
  let builders = [AttrBuilder<(ins "llvm::StringRef":$name, "Role":$role, "Storage":$storage), [{
    return $_get($_ctxt, name, role, storage, llvm::ArrayRef<::flexsn::neuron::Dim>());
  }]>];
  let extraClassDeclaration = [{
    /// What the value of a param depends on, by its dims.
    Variation variation() const;
    /// Whether it is a param of one value or the gradient of one: in a slot, and not in memory for neurons.
    bool isUniform() const {
      return (getRole() == Role::Param || getRole() == Role::GradParam) && variation() == Variation::None;
    }
    /// Whether neurons are found by strides, in a kernel of that layout: params with dims of neurons always are,
    /// checkpoints never.
    bool hasPlaces(Layout layout) const;
  }];
}

def Scan_CpuScheduleAttr : Scan_Attr<"CpuSchedule", "cpu"> {
  let summary = "how a kernel's loops are cut on a CPU";
  let description = [{
    `#scan.cpu<tile = 2048, width = 8>`: `tile` neurons are walked through time together, `width` of them are the
    lanes of one vector. With `streaming = true` outputs are written past the caches and inputs fetched a step ahead.
    `reason` says in words how the numbers were found.
  }];
  let parameters = (ins "unsigned":$tile, "unsigned":$width, OptionalParameter<"::mlir::BoolAttr">:$streaming,
                        OptionalParameter<"::mlir::StringAttr">:$reason);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{ bool isStreaming() const { return getStreaming() && getStreaming().getValue(); } }];
}

def Scan_CudaScheduleAttr : Scan_Attr<"CudaSchedule", "cuda"> {
  let summary = "how a kernel's loops are cut on a GPU";
  let description = [{
    `#scan.cuda<neurons = 4, chunk = 8, threads = 128, blocks = 6>`: a thread owns `neurons` neurons and walks time in
    chunks of `chunk` steps; a block has `threads` threads, and registers are limited so that a multiprocessor holds at
    least `blocks` of them. With `dividing = 4` chunks have 4 steps in the loop that divides, where the reciprocal of
    some divisor is not exact. With `scalar = true` elements are accessed one by one, else `neurons` neighbours at once.
    `reason` says in words how the numbers were found.
  }];
  let parameters = (ins "unsigned":$neurons, "unsigned":$chunk, "unsigned":$threads, "unsigned":$blocks,
                        DefaultValuedParameter<"unsigned", "0">:$dividing,
                        OptionalParameter<"::mlir::BoolAttr">:$scalar, OptionalParameter<"::mlir::StringAttr">:$reason);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isScalar() const { return getScalar() && getScalar().getValue(); }
    /// Steps of a chunk in the loop that divides.
    unsigned dividingChunk() const { return getDividing() ? getDividing() : getChunk(); }
  }];
}

#endif // FLEXSN_SCAN_DIALECT
