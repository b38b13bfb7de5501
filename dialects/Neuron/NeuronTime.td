// What reaches beyond one evaluation of the step: history, refractoriness, random numbers, differential equations.
#ifndef FLEXSN_NEURON_TIME
#define FLEXSN_NEURON_TIME

include "NeuronDialect.td"

def Neuron_HistoryOp : Neuron_Op<"history", [HasParent<"ModelOp">]> {
  let summary = "the value that prev and delay look back on";
  let description = [{
    Remembers `value` under `name` at the end of this step.

    ```mlir
    neuron.model @Difference {
      %x = neuron.input "x" : f32
      %before = neuron.prev "x" ago 1 : f32
      %change = arith.subf %x, %before : f32
      neuron.history "x" = %x : f32
      neuron.output "change" = %change : f32
    }
    ```

    Constraints: one `history` for a name (neuron-3).
  }];
  let arguments = (ins StrAttr:$name, Neuron_Any:$value);
  let assemblyFormat = "$name `=` $value attr-dict `:` type($value)";
}

def Neuron_PrevOp : Neuron_Op<"prev", [Pure]> {
  let summary = "a name's value some steps ago";
  let description = [{
    The result is the value that `neuron.history` remembered under `name`, `ago` steps earlier. Before the first step
    it is the initial value of the state of that name, or zero where there is none. See `neuron.history` for an
    example.

    Constraints: the model has a `history` of this name and type (neuron-3); `ago` is at least 1.
  }];
  let arguments = (ins StrAttr:$name, ConfinedAttr<I32Attr, [IntPositive]>:$ago);
  let results = (outs Neuron_Any:$value);
  let assemblyFormat = "$name `ago` $ago attr-dict `:` type($value)";
}

def Neuron_DelayOp : Neuron_Op<"delay", [Pure, SameOperandsAndResultType]> {
  let summary = "a name's value a real number of steps ago";
  let description = [{
    The result is the value of `name` `steps` steps ago, interpolated linearly between the two neighbouring steps;
    `steps` lies in [0, `within`].

    ```mlir
    neuron.model @Late {
      %x = neuron.input "x" : f32
      %d = neuron.param "d" learnable : f32
      %y = neuron.delay "x" by %d within 8 : f32
      neuron.history "x" = %x : f32
      neuron.output "y" = %y : f32
    }
    ```

    Constraints: the model has a `history` of this name and type (neuron-3); `within` is at least 1.
  }];
  let arguments = (ins StrAttr:$name, Neuron_Float:$steps, ConfinedAttr<I32Attr, [IntPositive]>:$within);
  let results = (outs Neuron_Float:$value);
  let assemblyFormat = "$name `by` $steps `within` $within attr-dict `:` type($value)";
}

def Neuron_RefractoryOp : Neuron_Op<"refractory", [SameOperandsAndResultType, HasParent<"ModelOp">]> {
  let summary = "a spike that is silent for some steps after it came";
  let description = [{
    The result is 0 in the `steps` steps after one in which the spike `name` was not 0, else `spike`. States whose
    `next` says `hold "name"` keep their value in those steps. A name that is assigned several times is silenced each
    time; the last of them is what is remembered. See `neuron.next` for an example.
  }];
  let arguments = (ins StrAttr:$name, Neuron_Float:$spike, Neuron_Float:$steps);
  let results = (outs Neuron_Float:$value);
  let assemblyFormat = "$name `of` $spike `for` $steps attr-dict `:` type($value)";
}

def Neuron_RandomOp : Neuron_Op<"random", [Pure]> {
  let summary = "a random number of this neuron, step and call site";
  let description = [{
    The result is drawn from `distribution` by a counter-based generator: it is a function of seed, element, step and
    `site`, so two ops of one site give one number, and the backward pass draws it again. `bernoulli` takes the
    probability of 1.

    ```mlir
    func.func @example(%p: f32) -> (f32, f32, f32) {
      %u = neuron.random uniform site 0 : f32
      %n = neuron.random normal site 1 : f32
      %b = neuron.random bernoulli(%p) site 2 : f32
      return %u, %n, %b : f32, f32, f32
    }
    ```

    Constraints: a probability for `bernoulli` and for nothing else, of the result's type.
  }];
  let arguments = (ins Neuron_Distribution:$distribution, Optional<Neuron_Float>:$probability,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$site);
  let results = (outs Neuron_Float:$value);
  let assemblyFormat = [{
    $distribution (`(` $probability^ `)`)? `site` $site attr-dict `:` type($value) ``
    custom<SameType>(ref($probability), type($probability), ref(type($value)))
  }];
  let hasVerifier = 1;
}

def Neuron_OdeOp : Neuron_Op<"ode", [Pure, SingleBlock]> {
  let summary = "one step of a system of differential equations";
  let description = [{
    The results are the states after a time `dt`, when they begin at `states` and change at the rates that the region
    yields. The region is the right-hand side as a function of the states, with all that is computed from them, so
    that a solver may evaluate it at any point; what it reads from outside is constant within the step. Each state has
    its method and its number of substeps.

    ```mlir
    neuron.model @Leak {
      %dt = neuron.param "dt" : f32
      %tau = neuron.param "tau" : f32
      %v = neuron.state "v" : f32 init {
        %zero = arith.constant 0.000000e+00 : f32
        neuron.yield %zero : f32
      }
      %v1 = neuron.ode dt %dt (%y = %v by exact) : f32 {
        %minus = arith.negf %y : f32
        %rate = arith.divf %minus, %tau : f32
        neuron.yield %rate : f32
      }
      neuron.next "v" = %v1 : f32
    }
    ```

    Constraints: at least one state; as many methods and substeps as states; the region takes the states and yields a
    rate of the same type for each; `dt` is a scalar of their float type.
  }];
  let arguments = (ins Neuron_Float:$dt, Variadic<Neuron_Float>:$states, DenseI32ArrayAttr:$methods,
                       DenseI32ArrayAttr:$substeps);
  let regions = (region SizedRegion<1>:$rates);
  let results = (outs Variadic<Neuron_Float>:$next);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

#endif // FLEXSN_NEURON_TIME
