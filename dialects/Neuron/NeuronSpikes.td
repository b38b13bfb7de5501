// Spikes, their surrogates, and what steers a gradient.
#ifndef FLEXSN_NEURON_SPIKES
#define FLEXSN_NEURON_SPIKES

include "NeuronDialect.td"

def Neuron_SpikeOp : Neuron_Elementwise<"spike"> {
  let summary = "1 where x >= 0, else 0; a built-in surrogate's derivative backward";
  let description = [{
    The result is 1 where `x` is at least 0 (`strict`: above 0), else 0; NaN gives 0. Its derivative is that of the
    built-in surrogate `surrogate` with `arguments` for its parameters (docs/language.md, rule 4).

    ```mlir
    func.func @example(%x: f32, %alpha: f32) -> f32 {
      %s = neuron.spike %x atan(%alpha) : f32
      return %s : f32
    }
    func.func @above_zero_alone(%x: f32, %alpha: f32) -> f32 {
      %s = neuron.spike %x super_spike(%alpha) strict : f32
      return %s : f32
    }
    ```
  }];
  let arguments = (ins Neuron_Float:$x, StrAttr:$surrogate, Variadic<Neuron_Float>:$arguments, UnitAttr:$strict);
  let results = (outs Neuron_Float:$result);
  let assemblyFormat = [{
    $x custom<Word>($surrogate) `(` $arguments `)` (`strict` $strict^)? attr-dict `:` type($result)
  }];
}

def Neuron_SurrogateOp : Neuron_Op<"surrogate", [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "a function with a derivative of the user's own";
  let description = [{
    The result is what `value` yields for `arguments`. Backward, argument `wrt[i]` receives the incoming gradient
    times the i-th value that `grad` yields; the other arguments receive none. `primitive`, where given, is the
    antiderivative that `explain` and plots show. The regions see their block arguments alone.

    ```mlir
    func.func @example(%x: f32) -> f32 {
      %s = neuron.surrogate "boxcar"(%x) : (f32) -> f32 value {
      ^bb0(%y: f32):
        %zero = arith.constant 0.000000e+00 : f32
        %above = arith.cmpf oge, %y, %zero : f32
        %s = arith.uitofp %above : i1 to f32
        neuron.yield %s : f32
      } grad wrt [0] {
      ^bb0(%y: f32):
        %one = arith.constant 1.000000e+00 : f32
        neuron.yield %one : f32
      }
      return %s : f32
    }
    ```

    Constraints: every region takes values of the arguments' types; `value` and `primitive` yield the result's type,
    `grad` the type of each argument in `wrt`, which names each argument at most once.
  }];
  let arguments = (ins StrAttr:$name, Variadic<Neuron_Any>:$arguments, DenseI32ArrayAttr:$wrt);
  let regions = (region SizedRegion<1>:$value, SizedRegion<1>:$grad, MaxSizedRegion<1>:$primitive);
  let results = (outs Neuron_Float:$result);
  let assemblyFormat = [{
    $name `(` $arguments `)` `:` functional-type($arguments, $result) `value` $value `grad` `wrt` $wrt $grad
    (`primitive` $primitive^)? attr-dict
  }];
  let hasRegionVerifier = 1;
}

def Neuron_QuantOp : Neuron_Elementwise<"quant"> {
  let summary = "x clipped to [low, high] and rounded to even; straight through backward";
  let description = [{
    The result is `round(clip(x, low, high))`: a whole number, or NaN for NaN. Its derivative is 1 inside the window.

    ```mlir
    func.func @example(%x: f32, %low: f32, %high: f32) -> f32 {
      %r = neuron.quant %x, %low, %high : f32
      return %r : f32
    }
    ```
  }];
  let arguments = (ins Neuron_Float:$x, Neuron_Float:$low, Neuron_Float:$high);
  let results = (outs Neuron_Float:$result);
  let assemblyFormat = "$x `,` $low `,` $high attr-dict `:` type($result)";
}

def Neuron_DetachOp : Neuron_Elementwise<"detach"> {
  let summary = "x forward, no gradient backward";
  let description = [{
    The result is `x`; nothing flows back through it.

    ```mlir
    func.func @example(%x: f32) -> f32 {
      %r = neuron.detach %x : f32
      return %r : f32
    }
    ```
  }];
  let arguments = (ins Neuron_Any:$x);
  let results = (outs Neuron_Any:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

def Neuron_ScaleGradientOp : Neuron_Elementwise<"gscale"> {
  let summary = "x forward, its gradient times factor backward";
  let description = [{
    The result is `x`; the gradient that flows back through it is multiplied by `factor`, which itself receives none.

    ```mlir
    func.func @example(%x: f32, %factor: f32) -> f32 {
      %r = neuron.gscale %x, %factor : f32
      return %r : f32
    }
    ```
  }];
  let arguments = (ins Neuron_Float:$x, Neuron_Float:$factor);
  let results = (outs Neuron_Float:$result);
  let assemblyFormat = "$x `,` $factor attr-dict `:` type($result)";
}

#endif // FLEXSN_NEURON_SPIKES
