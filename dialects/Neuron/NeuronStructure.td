// The frame of a model: what it reads, keeps and delivers.
#ifndef FLEXSN_NEURON_STRUCTURE
#define FLEXSN_NEURON_STRUCTURE

include "NeuronDialect.td"

def Neuron_ModelOp : Neuron_Op<"model", [IsolatedFromAbove, NoTerminator, NoRegionArguments, SingleBlock, Symbol]> {
  let summary = "one time step of a model";
  let description = [{
    The block holds the step in the text's order. It has no terminator: what leaves the step is said by `neuron.next`
    and `neuron.output`. `truncate k` cuts the gradient of the states at every k-th step.

    ```mlir
    neuron.model @Integrator {
      %x = neuron.input "x" : f32
      %v = neuron.state "v" : f32 init {
        %zero = arith.constant 0.000000e+00 : f32
        neuron.yield %zero : f32
      }
      %sum = arith.addf %v, %x : f32
      neuron.next "v" = %sum : f32
      neuron.output "v" = %sum : f32
    }
    ```

    Constraints: one float type in all of the model (neuron-1), no fast-math flag (neuron-2), names unique per kind,
    one `next` of the same type for each state (neuron-3).
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<ConfinedAttr<I32Attr, [IntPositive]>>:$truncate);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name (`truncate` $truncate^)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The float type of the model, or null where no value is a float.
    ::mlir::FloatType floatType();
  }];
}

def Neuron_InputOp : Neuron_Op<"input", [HasParent<"ModelOp">, Neuron_NamedResult]> {
  let summary = "the value of an input sequence at this step";
  let description = [{
    The result is the element of the operand `name` that belongs to this neuron and this step.

    ```mlir
    neuron.model @Copy {
      %x = neuron.input "x" : f32
      neuron.output "y" = %x : f32
    }
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Neuron_Any:$value);
  let assemblyFormat = "$name attr-dict `:` type($value)";
}

def Neuron_ParamOp : Neuron_Op<"param", [HasParent<"ModelOp">, Neuron_NamedResult]> {
  let summary = "a run-time parameter";
  let description = [{
    The result is the stored operand `name`. It carries no value (neuron-4): values are arguments of a launch. The
    dims in brackets say what it varies over; without them it is one number. `learnable` asks for its gradient.

    ```mlir
    neuron.model @Plif {
      %x = neuron.input "x" : f32
      %raw = neuron.param "raw_k" [neuron] learnable : f32
      %k = neuron.sigmoid %raw : f32
      %y = arith.mulf %x, %k : f32
      neuron.output "y" = %y : f32
    }
    ```

    Constraints: no dim twice, in the order step, channel, neuron (neuron-4).
  }];
  let arguments = (ins StrAttr:$name, DenseI32ArrayAttr:$dims, UnitAttr:$learnable);
  let results = (outs Neuron_Any:$value);
  let assemblyFormat = "$name `` custom<Dims>($dims) (`learnable` $learnable^)? attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Neuron_StateOp : Neuron_Op<"state", [HasParent<"ModelOp">, Neuron_NamedResult, SingleBlock, NoRegionArguments]> {
  let summary = "the value of a state at the start of the step";
  let description = [{
    The result is what `neuron.next` gave to the state `name` in the step before; before the first step it is what the
    region yields, or the tensor that the caller hands in.

    ```mlir
    neuron.model @Decay {
      %v_reset = neuron.param "v_reset" : f32
      %v = neuron.state "v" : f32 init {
        neuron.yield %v_reset : f32
      }
      %half = arith.constant 5.000000e-01 : f32
      %next = arith.mulf %v, %half : f32
      neuron.next "v" = %next : f32
    }
    ```

    Constraints: the region yields one value of the state's type and reads parameters, constants and what follows from
    them alone (neuron-5).
  }];
  let arguments = (ins StrAttr:$name);
  let regions = (region SizedRegion<1>:$init);
  let results = (outs Neuron_Any:$value);
  let assemblyFormat = "$name attr-dict `:` type($value) `init` $init";
  let hasRegionVerifier = 1;
}

def Neuron_NextOp : Neuron_Op<"next", [HasParent<"ModelOp">]> {
  let summary = "what a state becomes";
  let description = [{
    The state `name` holds `value` at the start of the next step. With `hold "s"` it keeps its old value while the
    spike `s` is refractory (see `neuron.refractory`).

    ```mlir
    neuron.model @Hold {
      %n = neuron.param "n" : f32
      %x = neuron.input "x" : f32
      %v = neuron.state "v" : f32 init {
        %zero = arith.constant 0.000000e+00 : f32
        neuron.yield %zero : f32
      }
      %s0 = neuron.spike %v atan(%n) : f32
      %s = neuron.refractory "s" of %s0 for %n : f32
      neuron.next "v" = %x hold "s" : f32
      neuron.output "s" = %s : f32
    }
    ```

    Constraints: the state exists, has the value's type and no other `next`; `hold` names a `refractory` (neuron-3).
  }];
  let arguments = (ins StrAttr:$name, Neuron_Any:$value, OptionalAttr<StrAttr>:$hold);
  let assemblyFormat = "$name `=` $value (`hold` $hold^)? attr-dict `:` type($value)";
}

def Neuron_OutputOp : Neuron_Op<"output", [HasParent<"ModelOp">]> {
  let summary = "a value delivered at every step";
  let description = [{
    The output sequence `name` holds `value` at this step.

    ```mlir
    neuron.model @Sign {
      %x = neuron.input "x" : f32
      %y = neuron.sign %x : f32
      neuron.output "y" = %y : f32
    }
    ```

    Constraints: the value is a float or an `i1`; an int was converted to the float type before (neuron-6).
  }];
  let arguments = (ins StrAttr:$name, Neuron_Any:$value);
  let assemblyFormat = "$name `=` $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Neuron_YieldOp : Neuron_Op<"yield", [Pure, Terminator, ParentOneOf<["StateOp", "SurrogateOp", "OdeOp"]>]> {
  let summary = "ends a region with its results";
  let description = [{
    Hands `values` to the op that owns the region; see `neuron.state` for an example.
  }];
  let arguments = (ins Variadic<Neuron_Any>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // FLEXSN_NEURON_STRUCTURE
