// The neuron dialect, its enumerations, type constraints and op classes.
#ifndef FLEXSN_NEURON_DIALECT
#define FLEXSN_NEURON_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Neuron_Dialect : Dialect {
  let name = "neuron";
  let cppNamespace = "::flexsn::neuron";
  let summary = "what one time step of a model means";
  let description = [{
    A `neuron.model` holds the statements of one time step in text order: what it reads, what it computes, what the
    states become, what is delivered. Arithmetic is MLIR's `arith`; this dialect adds what a spiking neuron needs
    beyond it.

    No op has a folder: constants of the text are folded by the front end alone, in double, and a host's libm must not
    decide bits (neuron-7). No op but the model's declarations and results has an effect.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultAttributePrinterParser = 0;
}

//===---- Enumerations ----===//

def Neuron_DimStep : I32EnumAttrCase<"Step", 0, "step">;
def Neuron_DimChannel : I32EnumAttrCase<"Channel", 1, "channel">;
def Neuron_DimNeuron : I32EnumAttrCase<"Neuron", 2, "neuron">;
/// What a parameter varies over. Lanes are part of the type, not a dim.
def Neuron_Dim : I32EnumAttr<"Dim", "what a parameter varies over",
                             [Neuron_DimStep, Neuron_DimChannel, Neuron_DimNeuron]> {
  let cppNamespace = "::flexsn::neuron";
}

def Neuron_Uniform : I32EnumAttrCase<"Uniform", 0, "uniform">;
def Neuron_Normal : I32EnumAttrCase<"Normal", 1, "normal">;
def Neuron_Bernoulli : I32EnumAttrCase<"Bernoulli", 2, "bernoulli">;
def Neuron_Distribution : I32EnumAttr<"Distribution", "what a random number is drawn from",
                                      [Neuron_Uniform, Neuron_Normal, Neuron_Bernoulli]> {
  let cppNamespace = "::flexsn::neuron";
}

def Neuron_Euler : I32EnumAttrCase<"Euler", 0, "euler">;
def Neuron_ExpEuler : I32EnumAttrCase<"ExpEuler", 1, "expeuler">;
def Neuron_Exact : I32EnumAttrCase<"Exact", 2, "exact">;
def Neuron_Rk2 : I32EnumAttrCase<"Rk2", 3, "rk2">;
def Neuron_Rk4 : I32EnumAttrCase<"Rk4", 4, "rk4">;
def Neuron_Heun : I32EnumAttrCase<"Heun", 5, "heun">;
/// The integration method of one differential equation.
def Neuron_Method : I32EnumAttr<"Method", "integration method of a differential equation",
                                [Neuron_Euler, Neuron_ExpEuler, Neuron_Exact, Neuron_Rk2, Neuron_Rk4, Neuron_Heun]> {
  let cppNamespace = "::flexsn::neuron";
}

//===---- Types: scalars per neuron, or vectors of K lanes ----===//

class Neuron_OrLanes<list<Type> scalars, string what>
    : AnyTypeOf<scalars # [VectorOfRankAndType<[1], scalars>], what # " or a vector of lanes of it", "::mlir::Type">;
def Neuron_Float : Neuron_OrLanes<[F32, F64], "f32 or f64">;
def Neuron_Int : Neuron_OrLanes<[I32], "i32">;
def Neuron_Bool : Neuron_OrLanes<[I1], "i1">;
def Neuron_Number : Neuron_OrLanes<[F32, F64, I32], "f32, f64 or i32">;
def Neuron_Any : Neuron_OrLanes<[F32, F64, I32, I1], "f32, f64, i32 or i1">;
def Neuron_Scalar : AnyTypeOf<[F32, F64, I32, I1], "f32, f64, i32 or i1", "::mlir::Type">;
def Neuron_Lanes : VectorOfRankAndType<[1], [F32, F64, I32, I1]>;

//===---- Op classes ----===//

class Neuron_Op<string mnemonic, list<Trait> traits = []> : Op<Neuron_Dialect, mnemonic, traits>;

/// Prints its result under the model's own name.
def Neuron_NamedResult : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

/// An op that computes one value of the type of its operands, lane by lane.
class Neuron_Elementwise<string mnemonic, list<Trait> traits = []>
    : Neuron_Op<mnemonic, [Pure, SameOperandsAndResultType] # ElementwiseMappable.traits # traits>;

#endif // FLEXSN_NEURON_DIALECT
