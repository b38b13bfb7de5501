// The ops of the scan dialect.
#ifndef FLEXSN_SCAN_OPS
#define FLEXSN_SCAN_OPS

include "ScanDialect.td"

def Scan_Operands : TypedArrayAttrBase<Scan_OperandAttr, "array of operands">;

def Scan_Steps : ConfinedAttr<I32Attr, [IntPositive]>;

def Scan_KernelOp : Op<Scan_Dialect, "kernel", [
    IsolatedFromAbove, SingleBlock, Symbol,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a scan over time for every neuron";
  let description = [{
    `operands` lists what the caller binds (scan-1), `states` names what is carried from step to step. The regions are
    functions of their block arguments:

    | region | receives | yields | seen next by |
    |---|---|---|---|
    | `prologue` | the params | the invariants | every other region (scan-2) |
    | `site` | params, invariants, params that vary by neuron | the site values | `init` and `step` (scan-11) |
    | `init` | params, invariants, site values | one value per state | the first step, but for `initial`s (scan-3) |
    | `step` | these, reads of step t, states | new states, then outputs | step t + 1; memory (scan-4) |

    Params without dims are one value, which regions take as such. A kernel with params that have dims of neurons alone
    has the region `site`; what varies by step is read like an input: a step's *reads* are such params, then inputs.

    A kernel of kind `backward` walks time twice (scan-8): `step` yields what it keeps for the way back in place of
    outputs, and more regions have the gradients. `carried` names the states whose gradient goes from step to
    step, `sums` the params and invariants, by their number among both, whose gradients are added up over steps and
    neurons. A carried state need be no state of the kernel: where only its gradient is of use, it is not computed.

    - `adjoint` receives what `step` does but the states, the kept values, and the gradients of the outputs and of the
      carried states behind step t. It yields those of the wanted reads of step t (params that vary by step, then
      inputs) and of the carried states before step t, then the summands, then those of site values.
    - `init_adjoint` receives what `init` does, and the gradients of the carried states before the first step. It
      yields summands, those of site values too.
    - `site_adjoint`, of a kernel with `site`, receives what `site` does, and for one neuron the sums over steps of the
      site values' gradients. It yields the neuron's part of the gradients of the wanted params that vary by neuron,
      then summands.
    - `epilogue` receives params and the sums, and yields the gradients of the wanted params of one value.

    Gradients of params with dims are in memory for each neuron, and step, as if neurons shared nothing; who launches
    the kernel adds up those of one element (docs/skeleton.md).

    Of the two kernels of a training step, `forward` writes the states in front of every `every`-th step and `backward`
    starts from them (scan-9); `plan` says in words why it is so. `truncate k` cuts gradients of carried states in
    front of the steps t with t % k == 0 (scan-10).

    The prologue runs once a launch, `site` and `init` once a neuron, `step` once a neuron and step. `schedule` says
    how the loops are cut; without it the kernel is not scheduled yet. `layout strided` is a kernel that finds each
    operand's neurons by strides of its own; without it (`linear`) all lie dense in one order (docs/skeleton.md).

    ```mlir
    scan.kernel @Decay_inference inference
        operands [#scan.operand<"tau", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"v", output, f32>]
        states ["v"]
        schedule #scan.cpu<tile = 2048, width = 8>
    prologue {
    ^bb0(%tau: f32):
      %one = arith.constant 1.000000e+00 : f32
      %rate = arith.divf %one, %tau : f32
      scan.yield %rate : f32
    } init {
    ^bb0(%tau: f32, %rate: f32):
      %zero = arith.constant 0.000000e+00 : f32
      scan.yield %zero : f32
    } step {
    ^bb0(%tau: f32, %rate: f32, %x: f32, %v: f32):
      %decay = arith.mulf %v, %rate : f32
      %v1 = arith.addf %decay, %x : f32
      scan.yield %v1, %v1 : f32, f32
    }
    ```

    Constraints: scan-1 to scan-11 of docs/ir.md.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Scan_Kind:$kind, Scan_Operands:$operandList, StrArrayAttr:$states,
                       DefaultValuedAttr<Scan_Layout, "::flexsn::scan::Layout::Linear">:$layout,
                       OptionalAttr<Scan_Steps>:$every, OptionalAttr<StrAttr>:$plan, OptionalAttr<Scan_Steps>:$truncate,
                       OptionalAttr<StrArrayAttr>:$carried, OptionalAttr<DenseI32ArrayAttr>:$sums,
                       OptionalAttr<AnyAttrOf<[Scan_CpuScheduleAttr, Scan_CudaScheduleAttr]>>:$schedule);
  let regions = (region SizedRegion<1>:$prologue, MaxSizedRegion<1>:$site, SizedRegion<1>:$init, SizedRegion<1>:$step,
                        MaxSizedRegion<1>:$adjoint, MaxSizedRegion<1>:$initAdjoint, MaxSizedRegion<1>:$siteAdjoint,
                        MaxSizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    $sym_name $kind `\n` `operands` $operandList `\n` `states` $states (`\n` `layout` $layout^)?
    (`\n` `every` $every^)? (`\n` `plan` $plan^)? (`\n` `truncate` $truncate^)?
    (`\n` `carried` $carried^)? (`\n` `sums` $sums^)?
    (`\n` `schedule` qualified($schedule)^)? attr-dict-with-keyword `\n` `prologue` $prologue (`site` $site^)?
    `init` $init `step` $step
    (`adjoint` $adjoint^ `init_adjoint` $initAdjoint)? (`site_adjoint` $siteAdjoint^)? (`epilogue` $epilogue^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The operands of `role`, in the kernel's order.
    ::llvm::SmallVector<OperandAttr> operandsOf(Role role);
    /// The params that vary so, in the kernel's order.
    ::llvm::SmallVector<OperandAttr> paramsOf(Variation variation);
    /// The wanted gradients of such params.
    ::llvm::SmallVector<OperandAttr> gradParamsOf(Variation variation);
    /// The wanted gradients of reads, in the order of the reads: what `adjoint` yields first.
    ::llvm::SmallVector<OperandAttr> gradReads();
    /// Position among the states of the one named `name`, or -1.
    int stateIndex(::llvm::StringRef name);
    /// The same of all states, for who asks for many.
    ::llvm::StringMap<int> stateNumbers();
    /// The schedule for a CPU, or for a GPU; null where it is none.
    CpuScheduleAttr getCpuSchedule() { return ::llvm::dyn_cast_or_null<CpuScheduleAttr>(getScheduleAttr()); }
    CudaScheduleAttr getCudaSchedule() { return ::llvm::dyn_cast_or_null<CudaScheduleAttr>(getScheduleAttr()); }
    /// What ends a region.
    YieldOp yieldOf(::mlir::Region &region);
    /// The types of params of one value, invariants, site values and states.
    ::mlir::TypeRange paramTypes() { return getPrologue().getArgumentTypes(); }
    ::mlir::TypeRange invariantTypes();
    ::mlir::TypeRange siteTypes();
    ::mlir::TypeRange stateTypes();
    /// Values that are the same for all neurons and steps: params and invariants, the leading arguments of all regions
    /// behind the prologue.
    unsigned uniformCount();
    /// Values that are the same in all steps of a neuron: these and site values, the leading arguments of `init`,
    /// `step`, `adjoint` and `init_adjoint`.
    unsigned fixedCount();
    /// Whether there are params of a value a neuron, and so the region `site`.
    bool hasSites() { return !getSite().empty(); }
    /// Block arguments of `step` by what they stand for.
    ::mlir::ValueRange stepParams();
    ::mlir::ValueRange stepInvariants();
    ::mlir::ValueRange stepSites();
    ::mlir::ValueRange stepVarying(); ///< params that vary by step
    ::mlir::ValueRange stepInputs();
    ::mlir::ValueRange stepReads(); ///< params that vary by step, then inputs
    ::mlir::ValueRange stepStates();
    /// Whether the kernel has gradients: all of `adjoint`, `init_adjoint` and `epilogue`, `site_adjoint` beside `site`.
    bool hasAdjoint() { return !getAdjoint().empty(); }
    /// The states whose gradients are carried, by name, and the types of the gradients: `adjoint` takes them last.
    ::llvm::SmallVector<::llvm::StringRef> carriedNames();
    ::mlir::TypeRange carriedTypes();
    /// Block arguments of `adjoint` by what they stand for.
    ::mlir::ValueRange adjointReads(); ///< params that vary by step, then inputs
    ::mlir::ValueRange adjointInputs();
    ::mlir::ValueRange adjointKept();
    ::mlir::ValueRange adjointGradOutputs();
    /// The types of what is added up over steps for each neuron alone: what `site_adjoint` takes last.
    ::mlir::TypeRange siteSumTypes();
    /// The types of all summands of `adjoint` and `init_adjoint`: of `sums`, then of site values.
    ::llvm::SmallVector<::mlir::Type> summandTypes();
    /// What `step` yields behind the new states; with `adjoint`, the kept values.
    ::mlir::ValueRange stepResults();
    /// The sequences that stand behind the new states in what `step` yields before `differentiate`.
    Role resultRole() { return getKind() == Kind::Backward ? Role::GradOutput : Role::Output; }
  }];
}

def Scan_YieldOp : Op<Scan_Dialect, "yield", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "ends a kernel's region with its results";
  let description = [{
    Hands `values` to the skeleton; see `scan.kernel` for an example.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Scan_DivideOp : Op<Scan_Dialect, "divide", [
    Pure, AllTypesMatch<["numerator", "divisor", "reciprocal", "quotient"]>]> {
  let summary = "a division by what does not change in a launch";
  let description = [{
    `numerator / divisor`, correctly rounded: to the bit what `arith.divf` gives. The divisor is a launch-invariant or
    a constant, so that more is known of it: `reciprocal` is 1 / divisor, rounded, or NaN where no quotient may be
    found from it; `exact` says that it was not rounded, as where the divisor is a power of two. Then one
    multiplication is the quotient.

    ```mlir
    scan.kernel @Leak inference
        operands [#scan.operand<"tau", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
        states []
    prologue {
    ^bb0(%tau: f32):
      %one = arith.constant 1.000000e+00 : f32
      %reciprocal = arith.divf %one, %tau : f32
      %minus = arith.constant -1.000000e+00 : f32
      %error = math.fma %reciprocal, %tau, %minus : f32
      %zero = arith.constant 0.000000e+00 : f32
      %exact = arith.cmpf oeq, %error, %zero : f32
      scan.yield %reciprocal, %exact : f32, i1
    } init {
    ^bb0(%tau: f32, %reciprocal: f32, %exact: i1):
      scan.yield
    } step {
    ^bb0(%tau: f32, %reciprocal: f32, %exact: i1, %x: f32):
      %y = scan.divide %x by %tau reciprocal %reciprocal exact %exact : f32
      scan.yield %y : f32
    }
    ```
  }];
  let arguments = (ins AnyFloat:$numerator, AnyFloat:$divisor, AnyFloat:$reciprocal, I1:$exact);
  let results = (outs AnyFloat:$quotient);
  let assemblyFormat = [{
    $numerator `by` $divisor `reciprocal` $reciprocal `exact` $exact attr-dict `:` type($quotient)
  }];
}

#endif // FLEXSN_SCAN_OPS
