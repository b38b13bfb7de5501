/* Part of flexsn.h, whose rules hold here too: looking inside of the compiler, its lists and its counters. */
#ifndef FLEXSN_INSPECT_H
#define FLEXSN_INSPECT_H

#include "flexsn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef FLEXSN_ENUM(flexsn_form){
    FLEXSN_FORM_NEURON = 0,   /* the step in the neuron dialect */
    FLEXSN_FORM_SCAN = 1,     /* the kernel in the scan dialect */
    FLEXSN_FORM_LLVM = 2,     /* LLVM IR */
    FLEXSN_FORM_ASSEMBLY = 3, /* the CPU's assembly */
    FLEXSN_FORM_OBJECT = 4,   /* a relocatable object file: bytes, not text */
    FLEXSN_FORM_CUDA = 5,     /* CUDA C++, the same text for every GPU */
    FLEXSN_FORM_PTX = 6,      /* what NVRTC makes of it, as text that a driver compiles */
    FLEXSN_FORM_CUBIN = 7     /* or as machine code: bytes, not text */
} flexsn_form;

/* How a kernel for a GPU reads and writes memory; a call chooses by its addresses and strides. */
typedef FLEXSN_ENUM(flexsn_access){
    FLEXSN_ACCESS_VECTOR = 0, /* several neurons at once: what is aligned */
    FLEXSN_ACCESS_SCALAR = 1  /* one by one: anything */
} flexsn_access;

typedef struct flexsn_emit_options {
  size_t struct_size;
  int32_t form;           /* flexsn_form */
  int32_t kernel;         /* flexsn_kernel */
  int32_t layout;         /* flexsn_layout */
  int32_t access;         /* flexsn_access, of forms from FLEXSN_FORM_CUDA on; else 0 */
  const char *stop_after; /* a FLEXSN_LIST_STAGES name: the IR as it is after that stage, in place of `form`; NULL */
  const char *arch;       /* CPU in LLVM's words, e.g. "x86-64-v3"; for a GPU its architecture, "sm_90";
                             NULL or "native": this machine's. What is no architecture, or lacks what kernels need, is
                             FLEXSN_ERROR_ARGUMENT; what this machine or its NVRTC does not have FLEXSN_ERROR_DEVICE */
  const char *const *initial_states; /* states given as tensors */
  size_t initial_state_count;
  const char *const *final_states; /* states written at the end; FLEXSN_FINAL_STATE without any: all of them */
  size_t final_state_count;
  const char *const *wanted; /* gradients of FLEXSN_FORWARD and FLEXSN_BACKWARD, as flexsn_gradients has them by name;
                                NULL: of the inputs, the initial states above and the learnable parameters */
  size_t wanted_count;
} flexsn_emit_options;

/* Gives what the compiler makes of the model: *out_text with *out_size bytes and a NUL behind them; the caller gives it
 * to flexsn_string_free. `options` and `emit_options` may be NULL. PTX and cubins come from the disk cache where it has
 * them, else NVRTC compiles them. Errors as flexsn_neuron_compile; FLEXSN_ERROR_DEVICE where NVRTC refuses a text. */
FLEXSN_API flexsn_status flexsn_model_emit(const flexsn_model *model, DLDevice device, const flexsn_options *options,
                                           const flexsn_emit_options *emit_options, char **out_text, size_t *out_size);
FLEXSN_API void flexsn_string_free(char *text);

/* What was decided about one kernel. */
typedef struct flexsn_explanation flexsn_explanation;

typedef FLEXSN_ENUM(flexsn_fact_kind){
    FLEXSN_FACT_OPERAND = 0,  /* `value`: bytes an element; `category`: param, input, initial, output, final,
                                 checkpoint, grad_output, ... */
    FLEXSN_FACT_STATE = 1,    /* `value`: bytes; `detail`: the declared value */
    FLEXSN_FACT_SCHEDULE = 2, /* tile, width (lanes of a vector), workspace (bytes a thread), residual (steps
                                 between checkpoints, and why), invariants, layout; of a
                                 GPU neurons (of a thread), chunk, dividing (its chunk where a division is not exact),
                                 threads, blocks, invariants, layout, limit */
    FLEXSN_FACT_MEMORY = 3,   /* bytes a neuron: step (in each step), floor (the least for these operands), once; of
                                 training kernels checkpoint (each time), and for comparison alone and saved (in each
                                 step) */
    FLEXSN_FACT_LAUNCH = 4,   /* operations once a launch; `value`: how many; `category`: their kind */
    FLEXSN_FACT_NEURON = 5,   /* operations once a neuron, for the states' declared values */
    FLEXSN_FACT_STEP = 6,     /* operations once a neuron and step */
    FLEXSN_FACT_REMARK = 7, /* what is worth knowing: `name` is the topic, `detail` the words, with a place if known */
    FLEXSN_FACT_CODE = 8, /* of a GPU: registers, local (bytes spilled), shared (bytes) of kernel and prologue, which is
                            `category`; cubin (bytes). None, and a remark, where there is no NVRTC */
    FLEXSN_FACT_ADJOINT = 9 /* of a backward kernel: operations once a neuron and step, on the way back */
} flexsn_fact_kind;

typedef struct flexsn_fact {
  size_t struct_size;
  const char *name;
  const char *category; /* see flexsn_fact_kind; "" where there is none */
  const char *detail;   /* in words; "" where there is nothing to say */
  double value;
  uint32_t line, column, end_line, end_column; /* a remark's place in the text; 0 without */
} flexsn_fact;

/* Compiles as far as the decisions go, makes no machine code but for a GPU, and tells what was decided. Of
 * `emit_options`, which may be NULL, the kernel, layout, states and arch count, and of a GPU ("sm_90") access; form and
 * stop_after are 0. The result is immutable; the caller gives
 * it to flexsn_explanation_free. Errors as flexsn_model_emit. */
FLEXSN_API flexsn_status flexsn_model_explain(const flexsn_model *model, DLDevice device, const flexsn_options *options,
                                              const flexsn_emit_options *emit_options, flexsn_explanation **out);
/* Number of facts of a kind. 0 for NULL or an unknown kind. */
FLEXSN_API size_t flexsn_explanation_count(const flexsn_explanation *explanation, flexsn_fact_kind kind);
/* Fills *out, whose struct_size is set. The strings live as long as the explanation. */
FLEXSN_API flexsn_status flexsn_explanation_get(const flexsn_explanation *explanation, flexsn_fact_kind kind,
                                                size_t index, flexsn_fact *out);
FLEXSN_API void flexsn_explanation_free(flexsn_explanation *explanation);

typedef FLEXSN_ENUM(flexsn_list_kind){
    FLEXSN_LIST_MODELS = 0,     /* shipped models: `detail` is the text */
    FLEXSN_LIST_SURROGATES = 1, /* built-in surrogates: `detail` says where the formula comes from */
    FLEXSN_LIST_FUNCTIONS = 2,  FLEXSN_LIST_LINTS = 3,
    FLEXSN_LIST_STAGES = 4, /* of the compiler, in order: for flexsn_emit_options::stop_after */
    FLEXSN_LIST_FACTS = 5   /* about this library and machine: `usage` is the value */
} flexsn_list_kind;

typedef struct flexsn_entry {
  size_t struct_size;
  const char *name;
  const char *usage;   /* how it is written ("atan(alpha=2.0)"), or a fact's value; "" where there is nothing to say */
  const char *summary; /* one line; "" where the name says all */
  const char *detail;  /* see flexsn_list_kind; "" for the others */
} flexsn_entry;

/* Number of entries; 0 for an unknown kind. */
FLEXSN_API size_t flexsn_list_count(flexsn_list_kind kind);
/* Fills *out, whose struct_size is set. The strings live for ever. */
FLEXSN_API flexsn_status flexsn_list_get(flexsn_list_kind kind, size_t index, flexsn_entry *out);

/* Counters of this process, from its start. */
typedef struct flexsn_statistics {
  size_t struct_size;
  uint64_t compilations; /* programs that were compiled, successfully or not */
  uint64_t programs;     /* programs in memory now */
  uint64_t cache_hits;   /* programs that came from the disk cache */
} flexsn_statistics;

/* Fills *out, whose struct_size is set. */
FLEXSN_API flexsn_status flexsn_statistics_get(flexsn_statistics *out);

#ifdef __cplusplus
}
#endif
#endif /* FLEXSN_INSPECT_H */
