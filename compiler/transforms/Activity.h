// Activity of a backward kernel's primal regions: what a wanted gradient reaches. Nothing else is differentiated.
#pragma once

#include "dialects/Neuron/Neuron.h"
#include "dialects/Scan/Scan.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace flexsn {

class Activity {
public:
  using Values = llvm::DenseSet<mlir::Value>;

  /// Of a kernel that has not been differentiated.
  explicit Activity(scan::KernelOp kernel);

  /// The positions of wanted gradients among what they are of: params that vary so, inputs.
  llvm::SmallVector<unsigned> wantedParams(scan::Variation variation);
  llvm::SmallVector<unsigned> wantedInputs();
  /// Whether a tensor gives the state's initial value.
  bool isGiven(unsigned state) const { return given[state]; }

  Values ofParams, ofSite, ofInit, ofStep; ///< values of each region that vary with something wanted
  /// The states whose gradient goes from step to step, by number: they vary, and an output or a final gradient sees
  /// them; also those whose initial gradient is wanted, if it be zero.
  llvm::SmallVector<unsigned> carried;
  /// The carried states that a step's gradients lead to. No later step sees the others: what flows into them comes from
  /// a final gradient, and in front of the last step it is a zero that stands for nothing, also where it meets an
  /// infinity.
  llvm::BitVector handsOn;

private:
  void findVaried();
  void findVariedSites(llvm::SmallVector<mlir::Value> &fixed);
  void findCarried();
  void findHandingOn();
  llvm::BitVector statesOf(scan::Role role);

  scan::KernelOp kernel;
  llvm::StringMap<int> stateNumbers;
  llvm::BitVector given;
};

} // namespace flexsn
