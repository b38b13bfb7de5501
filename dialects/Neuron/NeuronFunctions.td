// The functions of the language (one def per line of compiler/frontend/Functions.def; a test compares both) and the
// arithmetic that `arith` does not have.
#ifndef FLEXSN_NEURON_FUNCTIONS
#define FLEXSN_NEURON_FUNCTIONS

include "NeuronDialect.td"

/// The page of a function: `effect` names the operands, the example is complete.
class Neuron_Page<string mnemonic, string effect, string parameters, string operands, string result> {
  string text = "The result is " # effect # ", lane by lane.\n\n```mlir\nfunc.func @example(" # parameters # ") -> " #
      result # " {\n  %r = neuron." # mnemonic # " " # operands # " : f32\n  return %r : " # result # "\n}\n```\n";
}

class Neuron_Unary<string mnemonic, TypeConstraint type, string effect> : Neuron_Elementwise<mnemonic> {
  let summary = effect;
  let description = Neuron_Page<mnemonic, effect, "%x: f32", "%x", "f32">.text;
  let arguments = (ins type:$x);
  let results = (outs type:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}
class Neuron_Binary<string mnemonic, TypeConstraint type, string effect> : Neuron_Elementwise<mnemonic> {
  let summary = effect;
  let description = Neuron_Page<mnemonic, effect, "%x: f32, %y: f32", "%x, %y", "f32">.text;
  let arguments = (ins type:$x, type:$y);
  let results = (outs type:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($result)";
}
class Neuron_Test<string mnemonic, string effect>
    : Neuron_Op<mnemonic, [Pure, TypesMatchWith<"the result is i1 of the operand's shape", "x", "result",
                                                "::flexsn::neuron::boolLike($_self)">] # ElementwiseMappable.traits> {
  let summary = effect;
  let description = Neuron_Page<mnemonic, effect, "%x: f32", "%x", "i1">.text;
  let arguments = (ins Neuron_Float:$x);
  let results = (outs Neuron_Bool:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

//===---- Functions ----===//

def Neuron_AbsOp : Neuron_Unary<"abs", Neuron_Number, "the absolute value of x; of an int it wraps at the smallest">;
def Neuron_MinOp : Neuron_Binary<"min", Neuron_Number, "the smaller of x and y; NaN if either is NaN; -0 before +0">;
def Neuron_MaxOp : Neuron_Binary<"max", Neuron_Number, "the larger of x and y; NaN if either is NaN; +0 before -0">;
def Neuron_ClipOp : Neuron_Elementwise<"clip"> {
  let summary = "x forced between low and high";
  let description = [{
    The result is `min(max(x, low), high)` with the `min` and `max` of this dialect, so a NaN stays one.

    ```mlir
    func.func @example(%x: f32, %low: f32, %high: f32) -> f32 {
      %r = neuron.clip %x, %low, %high : f32
      return %r : f32
    }
    ```
  }];
  let arguments = (ins Neuron_Number:$x, Neuron_Number:$low, Neuron_Number:$high);
  let results = (outs Neuron_Number:$result);
  let assemblyFormat = "$x `,` $low `,` $high attr-dict `:` type($result)";
}
def Neuron_SqrtOp : Neuron_Unary<"sqrt", Neuron_Float, "the square root of x, correctly rounded">;
def Neuron_RsqrtOp : Neuron_Unary<"rsqrt", Neuron_Float, "1 / sqrt(x)">;
def Neuron_ExpOp : Neuron_Unary<"exp", Neuron_Float, "e to the x">;
def Neuron_Expm1Op : Neuron_Unary<"expm1", Neuron_Float, "exp(x) - 1 without cancellation">;
def Neuron_ExprelOp : Neuron_Unary<"exprel", Neuron_Float, "(exp(x) - 1) / x, and 1 at 0">;
def Neuron_LogOp : Neuron_Unary<"log", Neuron_Float, "the natural logarithm of x">;
def Neuron_Log1pOp : Neuron_Unary<"log1p", Neuron_Float, "log(1 + x) without cancellation">;
def Neuron_Log2Op : Neuron_Unary<"log2", Neuron_Float, "the logarithm of x to base 2">;
def Neuron_SinOp : Neuron_Unary<"sin", Neuron_Float, "the sine of x in radians">;
def Neuron_CosOp : Neuron_Unary<"cos", Neuron_Float, "the cosine of x in radians">;
def Neuron_TanOp : Neuron_Unary<"tan", Neuron_Float, "the tangent of x in radians">;
def Neuron_TanhOp : Neuron_Unary<"tanh", Neuron_Float, "the hyperbolic tangent of x">;
def Neuron_AtanOp : Neuron_Unary<"atan", Neuron_Float, "the arc tangent of x">;
def Neuron_Atan2Op : Neuron_Binary<"atan2", Neuron_Float, "the angle of the point (y, x), first operand upwards">;
def Neuron_SinhOp : Neuron_Unary<"sinh", Neuron_Float, "the hyperbolic sine of x">;
def Neuron_CoshOp : Neuron_Unary<"cosh", Neuron_Float, "the hyperbolic cosine of x">;
def Neuron_AsinOp : Neuron_Unary<"asin", Neuron_Float, "the arc sine of x">;
def Neuron_AcosOp : Neuron_Unary<"acos", Neuron_Float, "the arc cosine of x">;
def Neuron_ErfOp : Neuron_Unary<"erf", Neuron_Float, "the error function of x">;
def Neuron_ErfcOp : Neuron_Unary<"erfc", Neuron_Float, "1 - erf(x) without cancellation">;
def Neuron_SigmoidOp : Neuron_Unary<"sigmoid", Neuron_Float, "1 / (1 + exp(-x))">;
def Neuron_SoftplusOp : Neuron_Unary<"softplus", Neuron_Float, "log(1 + exp(x))">;
def Neuron_ReluOp : Neuron_Unary<"relu", Neuron_Number, "max(x, 0); a NaN stays one">;
def Neuron_FloorOp : Neuron_Unary<"floor", Neuron_Float, "the largest whole number not above x">;
def Neuron_CeilOp : Neuron_Unary<"ceil", Neuron_Float, "the smallest whole number not below x">;
def Neuron_RoundOp : Neuron_Unary<"round", Neuron_Float, "the whole number nearest to x, ties to even">;
def Neuron_TruncOp : Neuron_Unary<"trunc", Neuron_Float, "the whole part of x, towards zero">;
def Neuron_SignOp : Neuron_Unary<"sign", Neuron_Number, "-1, 0 or 1 by the sign of x; NaN gives 0">;
def Neuron_PowOp : Neuron_Binary<"pow", Neuron_Float, "x to the y, for a real exponent">;
def Neuron_FmodOp : Neuron_Binary<"fmod", Neuron_Float, "the remainder of x / y with the sign of x, as C's fmod">;
def Neuron_IsNanOp : Neuron_Test<"isnan", "true where x is not a number">;

//===---- Lanes: reductions are functions too ----===//

class Neuron_FromLanes<string mnemonic>
    : Neuron_Op<mnemonic, [Pure, TypesMatchWith<"the result is one lane of the operand", "x", "result",
                                                "::llvm::cast<::mlir::VectorType>($_self).getElementType()">]>;
def Neuron_SumOp : Neuron_FromLanes<"sum"> {
  let summary = "the lanes of x added up, from lane 0 on";
  let description = [{
    The result is `((x[0] + x[1]) + x[2]) + ...`: one order, so that the bits are defined.

    ```mlir
    func.func @example(%x: vector<4xf32>) -> f32 {
      %r = neuron.sum %x : vector<4xf32>
      return %r : f32
    }
    ```
  }];
  let arguments = (ins Neuron_Lanes:$x);
  let results = (outs Neuron_Scalar:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}
def Neuron_DotOp
    : Neuron_Op<"dot", [Pure, SameTypeOperands,
                        TypesMatchWith<"the result is one lane of the operands", "x", "result",
                                       "::llvm::cast<::mlir::VectorType>($_self).getElementType()">]> {
  let summary = "the products of the lanes of x and y added up, from lane 0 on";
  let description = [{
    The result is `((x[0]*y[0] + x[1]*y[1]) + x[2]*y[2]) + ...`, every product rounded before it is added.

    ```mlir
    func.func @example(%x: vector<4xf32>, %y: vector<4xf32>) -> f32 {
      %r = neuron.dot %x, %y : vector<4xf32>
      return %r : f32
    }
    ```
  }];
  let arguments = (ins Neuron_Lanes:$x, Neuron_Lanes:$y);
  let results = (outs Neuron_Scalar:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}
def Neuron_LaneOp : Neuron_FromLanes<"lane"> {
  let summary = "one lane of x";
  let description = [{
    The result is lane `index` of `x`.

    ```mlir
    func.func @example(%x: vector<4xf32>) -> f32 {
      %r = neuron.lane %x[3] : vector<4xf32>
      return %r : f32
    }
    ```

    Constraints: `index` is below the number of lanes.
  }];
  let arguments = (ins Neuron_Lanes:$x, ConfinedAttr<I32Attr, [IntNonNegative]>:$index);
  let results = (outs Neuron_Scalar:$result);
  let assemblyFormat = "$x `[` $index `]` attr-dict `:` type($x)";
  let hasVerifier = 1;
}
def Neuron_SplatOp : Neuron_Op<"splat", [Pure, TypesMatchWith<"the operand is one lane of the result", "result", "x",
                               "::llvm::cast<::mlir::VectorType>($_self).getElementType()">]> {
  let summary = "a vector with x in every lane";
  let description = [{
    Every lane of the result is `x`.

    ```mlir
    func.func @example(%x: f32) -> vector<4xf32> {
      %r = neuron.splat %x : vector<4xf32>
      return %r : vector<4xf32>
    }
    ```
  }];
  let arguments = (ins Neuron_Scalar:$x);
  let results = (outs Neuron_Lanes:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

//===---- Arithmetic beyond arith ----===//

def Neuron_FloorDivOp
    : Neuron_Binary<"floordiv", Neuron_Number, "x / y rounded down as torch.floor_divide; int: 0 for y = 0">;
def Neuron_RemainderOp
    : Neuron_Binary<"remainder", Neuron_Number,
                    "the remainder of x / y with the sign of y as torch.remainder; int: 0 for y = 0">;
def Neuron_IntPowOp : Neuron_Elementwise<"ipow"> {
  let summary = "x to a constant whole power, as products from the left";
  let description = [{
    The result is `((x * x) * x) * ...` with `exponent` factors, 1 for exponent 0, and 1 divided by the product for a
    negative exponent.

    ```mlir
    func.func @example(%x: f32) -> f32 {
      %r = neuron.ipow %x, 3 : f32
      return %r : f32
    }
    ```

    Constraints: the exponent lies between -8 and 8, and is not negative for an int.
  }];
  let arguments = (ins Neuron_Number:$x, I32Attr:$exponent);
  let results = (outs Neuron_Number:$result);
  let assemblyFormat = "$x `,` $exponent attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Neuron_ToIntOp
    : Neuron_Op<"to_int", [Pure, TypesMatchWith<"the result is i32 of the operand's shape", "x", "result",
                                                "::flexsn::neuron::intLike($_self)">] # ElementwiseMappable.traits> {
  let summary = "the whole part of x as an int; saturates, NaN gives 0";
  let description = [{
    The result is `x` cut towards zero; a value beyond the range of `i32` gives its nearest end, NaN gives 0.

    ```mlir
    func.func @example(%x: f32) -> i32 {
      %r = neuron.to_int %x : f32
      return %r : i32
    }
    ```
  }];
  let arguments = (ins Neuron_Float:$x);
  let results = (outs Neuron_Int:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

#endif // FLEXSN_NEURON_FUNCTIONS
