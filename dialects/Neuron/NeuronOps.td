// All ops of the neuron dialect, by group.
#ifndef FLEXSN_NEURON_OPS
#define FLEXSN_NEURON_OPS

include "NeuronStructure.td"
include "NeuronFunctions.td"
include "NeuronSpikes.td"
include "NeuronTime.td"

#endif // FLEXSN_NEURON_OPS
