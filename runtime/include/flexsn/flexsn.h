/* flexsn: spiking neurons, written as equations, compiled into fused multi-step kernels. The C interface (C11).
 *
 *   flexsn_model *model; flexsn_neuron *lif;
 *   if (flexsn_model_parse(text, strlen(text), "lif.fsn", &model) != FLEXSN_OK) {
 *     fputs(flexsn_last_error(), stderr);
 *     return 1;
 *   }
 *   flexsn_options options = {sizeof options};
 *   flexsn_neuron_compile(model, flexsn_cpu(), &options, &lif);
 *
 * Rules that hold for every function, unless it says otherwise:
 * - Result: a flexsn_status. After anything but FLEXSN_OK nothing was done: `out` parameters and operands are
 *   untouched, and flexsn_last_error() has the words.
 * - Ownership: a handle that comes back through a `**` belongs to the caller, who gives it to the _free function of its
 *   type. Handles keep alive what they need: a neuron outlives its model, a bound call its neuron. Every `const char *`
 *   that the library returns is NUL-terminated UTF-8, belongs to the library and lives as long as its function says.
 *   Arguments are read during the call and not kept, except for the tensors' memory in flexsn_neuron_bind.
 * - NULL for a handle, an `out` parameter or a required string is FLEXSN_ERROR_ARGUMENT; _free accepts NULL.
 * - Threads: any function may be called from any thread. A `const` handle may be used by several threads at once, a
 *   non-const one by one at a time. A call that compiles takes up to 1 MiB of its thread's stack.
 * - Structs that begin with `struct_size` grow at their end in later versions: set it to sizeof the struct and the rest
 *   to zero, then what you want. A larger struct is accepted as long as what this version does not know is zero.
 * - Nothing here throws or exits. What a call has to say, it returns; the library by itself writes only warnings about
 * the disk cache to standard error, one line each (FLEXSN_LOG=debug|info|warn|off). Environment variables are read
 * once. Since: 0.1, all of it.
 */
#ifndef FLEXSN_FLEXSN_H
#define FLEXSN_FLEXSN_H

#include <stddef.h>
#include <stdint.h>

#include "dlpack.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FLEXSN_API __attribute__((visibility("default")))

/* Enumerations are 32-bit integers, so that a value of a later version is no undefined behaviour in an earlier one. */
#ifdef __cplusplus
#define FLEXSN_ENUM(name) enum name : int32_t
#else
#define FLEXSN_ENUM(name) enum name
#endif

/* ---- Results ---- */

typedef FLEXSN_ENUM(flexsn_status){
    FLEXSN_OK = 0,
    FLEXSN_ERROR_ARGUMENT = 1,    /* the call itself: NULL, an unknown enumerator or CPU, an impossible struct_size */
    FLEXSN_ERROR_MODEL = 2,       /* the text, or an option against the text: see the diagnostics */
    FLEXSN_ERROR_VALUE = 3,       /* a name, shape, layout, overlap or parameter value */
    FLEXSN_ERROR_TYPE = 4,        /* an operand's data type */
    FLEXSN_ERROR_UNSUPPORTED = 5, /* legal, and not available in this version or on this machine */
    FLEXSN_ERROR_DEVICE = 6,      /* the device or the code generator failed */
    FLEXSN_ERROR_MEMORY = 7,      /* out of memory */
    FLEXSN_ERROR_INTERNAL = 8     /* a bug in flexsn */
} flexsn_status;

/* "0.1.0". Lives for ever. */
FLEXSN_API const char *flexsn_version(void);

/* What went wrong in this thread's last call, in words, ending in a line end if it has several lines; "" if that call
 * succeeded. For FLEXSN_ERROR_MODEL these are all diagnostics with source line and caret. Lives until this thread's
 * next call of a function other than flexsn_last_error, flexsn_diagnostic_* and flexsn_bound_run. */
FLEXSN_API const char *flexsn_last_error(void);

typedef FLEXSN_ENUM(flexsn_severity){FLEXSN_SEVERITY_NOTE = 0, FLEXSN_SEVERITY_WARNING = 1,
                                     FLEXSN_SEVERITY_ERROR = 2} flexsn_severity;

/* One finding about a text. Lines and columns count from 1, columns in bytes; the end is the first place behind. */
typedef struct flexsn_diagnostic {
  size_t struct_size;
  const char *file;     /* the name that was given with the text */
  const char *name;     /* the lint's name behind -W, "" for errors that cannot be switched off */
  const char *message;  /* one line, lower case, no full stop */
  const char *fix;      /* text to put in place of [fix_line:fix_column, fix_end_line:fix_end_column), or NULL */
  const char *rendered; /* "file:line:column: error: message", the source line, a caret; ends in a line end */
  const char *colored;  /* the same with ANSI colours */
  int32_t severity;     /* flexsn_severity */
  uint32_t line, column, end_line, end_column;
  uint32_t fix_line, fix_column, fix_end_line, fix_end_column;
  uint32_t reserved; /* zero */
} flexsn_diagnostic;

/* Number of findings of this thread's last call: after a failure the errors and warnings, after a success the warnings.
 */
FLEXSN_API size_t flexsn_diagnostic_count(void);

/* Fills *out, whose struct_size is set, with finding `index`, in the order of the text. The strings live as long as
 * flexsn_last_error()'s. FLEXSN_ERROR_ARGUMENT if there is no such finding (flexsn_last_error() stays as it is). */
FLEXSN_API flexsn_status flexsn_diagnostic_get(size_t index, flexsn_diagnostic *out);

/* ---- Models: checked texts ---- */

typedef struct flexsn_file flexsn_file;   /* every model of one text */
typedef struct flexsn_model flexsn_model; /* one of them */

/* Which lints are silent or fatal. */
typedef struct flexsn_parse_options {
  size_t struct_size;
  const char *const *disabled_lints; /* -Wno-NAME */
  size_t disabled_lint_count;
  const char *const *error_lints; /* -Werror=NAME */
  size_t error_lint_count;
  int32_t all_errors; /* -Werror: not 0 makes every warning an error */
  int32_t reserved;   /* zero */
} flexsn_parse_options;

/* Parses and checks `size` bytes of text and reports every finding of the whole file: flexsn_diagnostic_*, after a
 * success too (warnings). `name` stands for the text in messages (NULL: "<text>"). `options` may be NULL. Errors:
 * FLEXSN_ERROR_MODEL; FLEXSN_ERROR_VALUE for an unknown lint. */
FLEXSN_API flexsn_status flexsn_file_parse(const char *text, size_t size, const char *name,
                                           const flexsn_parse_options *options, flexsn_file **out);
/* Number of models in the file, in text order. 0 for NULL. */
FLEXSN_API size_t flexsn_file_model_count(const flexsn_file *file);
/* Model `name` of the file; NULL is the only one. FLEXSN_ERROR_VALUE, with the names there are, if it is not there, or
 * if NULL could mean several. */
FLEXSN_API flexsn_status flexsn_file_model(const flexsn_file *file, const char *name, flexsn_model **out);
/* Model `index` of the file. FLEXSN_ERROR_ARGUMENT if there is none. */
FLEXSN_API flexsn_status flexsn_file_model_at(const flexsn_file *file, size_t index, flexsn_model **out);
FLEXSN_API void flexsn_file_free(flexsn_file *file);

/* flexsn_file_parse and flexsn_file_model in one, for a text with one model. */
FLEXSN_API flexsn_status flexsn_model_parse(const char *text, size_t size, const char *name, flexsn_model **out);
/* The model's name; lives as long as the model. NULL for NULL. */
FLEXSN_API const char *flexsn_model_name(const flexsn_model *model);
FLEXSN_API void flexsn_model_free(flexsn_model *model);

/* What a model is made of. */
typedef FLEXSN_ENUM(flexsn_part_kind){
    FLEXSN_INPUT = 0,                                   /* in declared order: the order of flexsn_call::inputs */
    FLEXSN_OUTPUT = 1,                                  /* in declared order */
    FLEXSN_STATE = 2, FLEXSN_PARAM = 3, FLEXSN_NAME = 4 /* every name that flexsn_options::outputs may ask for */
} flexsn_part_kind;

typedef FLEXSN_ENUM(flexsn_type){
    FLEXSN_FLOAT = 0, /* stored in the dtype of the options, as a state in float32 where that is a 16-bit type */
    FLEXSN_INT = 1,   /* stored as int32; an output in the dtype of the options: exact up to 2^24 in f32; or as int8 */
    FLEXSN_BOOL = 2   /* stored as a byte: any non-zero is true, true is written as 1 */
} flexsn_type;

/* Bits of flexsn_part::dims. None: one value for all neurons and steps. */
typedef FLEXSN_ENUM(flexsn_dim){FLEXSN_DIM_STEP = 1, FLEXSN_DIM_CHANNEL = 2, FLEXSN_DIM_NEURON = 4} flexsn_dim;

/* Bits of flexsn_part::flags. */
typedef FLEXSN_ENUM(flexsn_part_flag){
    FLEXSN_LEARNABLE = 1, FLEXSN_FROZEN = 2, FLEXSN_LOW_OPEN = 4, /* `low` itself is not allowed */
    FLEXSN_HIGH_OPEN = 8,                                         /* nor `high` */
    FLEXSN_CLAMP = 16 /* values outside are clamped at use, in place of an error */
} flexsn_part_flag;

typedef struct flexsn_part {
  size_t struct_size;
  const char *name;
  const char *operand;   /* the stored operand's name: raw_NAME for a parameter under a transform, else the name */
  const char *transform; /* "sigmoid", "softplus", "exp", "tanh"; "" without */
  const char *initial;   /* a state's declared value, as an expression; "" for other parts */
  double default_value;  /* a parameter's value in the text, behind its transform; 0 for other parts */
  double low, high;      /* a parameter's `in` bounds; -inf, inf without */
  int32_t type;          /* flexsn_type */
  uint32_t lanes;        /* K of a vector, else 1 */
  uint32_t dims;         /* flexsn_dim bits */
  uint32_t flags;        /* flexsn_part_flag bits */
} flexsn_part;

/* Number of parts of a kind. 0 for NULL or an unknown kind. */
FLEXSN_API size_t flexsn_model_part_count(const flexsn_model *model, flexsn_part_kind kind);
/* Fills *out, whose struct_size is set. The strings live as long as the model. */
FLEXSN_API flexsn_status flexsn_model_part(const flexsn_model *model, flexsn_part_kind kind, size_t index,
                                           flexsn_part *out);

/* ---- Options of a request ---- */

typedef FLEXSN_ENUM(flexsn_dtype){
    FLEXSN_F32 = 0, FLEXSN_F64 = 1, FLEXSN_F16 = 2, /* states and arithmetic are float32 */
    FLEXSN_BF16 = 3                                 /* states and arithmetic are float32 */
} flexsn_dtype;

/* How outputs that are whole numbers are stored: those of an int, and of a name bound to quant. */
typedef FLEXSN_ENUM(flexsn_out_dtype){
    FLEXSN_OUT_DATA = 0, /* in the dtype of the data */
    FLEXSN_OUT_INT8 = 1  /* as int8: below -128 and above 127 saturated, NaN as 0 */
} flexsn_out_dtype;

typedef FLEXSN_ENUM(flexsn_math){
    FLEXSN_MATH_STANDARD = 0, /* forward values strict: no contraction, no reassociation */
    FLEXSN_MATH_STRICT = 1,   /* gradients too */
    FLEXSN_MATH_FAST = 2      /* forward values may contract into fma */
} flexsn_math;

/* A `const` of the text with another value. */
typedef struct flexsn_constant {
  const char *name;
  double value;
} flexsn_constant;

/* Dims for a parameter that the text declares without any. */
typedef struct flexsn_param_dims {
  const char *name;
  uint32_t dims;     /* flexsn_dim bits, at least one; not CHANNEL and NEURON together */
  uint32_t reserved; /* zero */
} flexsn_param_dims;

/* All zero but struct_size: the defaults. Parameter values, sizes and strides are no options: they never recompile. */
typedef struct flexsn_options {
  size_t struct_size;
  int32_t dtype;         /* flexsn_dtype of inputs and outputs; states and arithmetic are f64 for f64, else f32 */
  int32_t math;          /* flexsn_math */
  int32_t detach_reset;  /* not 0: no gradient through the spikes in `reset:` */
  int32_t out_dtype;     /* flexsn_out_dtype */
  const char *surrogate; /* replaces the model's default surrogate, e.g. "atan(alpha=3)"; NULL: the text's */
  const flexsn_constant *constants;
  size_t constant_count;
  const char *const *outputs; /* names to deliver, in this order: any FLEXSN_NAME; NULL: the declared outputs */
  size_t output_count;
  const flexsn_param_dims *dims;
  size_t dims_count;
} flexsn_options;

/* ---- Neurons: models compiled under options ---- */

typedef struct flexsn_neuron flexsn_neuron;

typedef FLEXSN_ENUM(flexsn_kernel){
    FLEXSN_INFERENCE = 0,   /* outputs, and final states if asked for */
    FLEXSN_FINAL_STATE = 1, /* final states alone: writes no sequence */
    FLEXSN_FORWARD = 2,     /* the same of a training step: saves beside what its backward kernel starts from */
    FLEXSN_BACKWARD = 3     /* gradients of inputs, initial states and parameters */
} flexsn_kernel;

typedef FLEXSN_ENUM(flexsn_layout){
    FLEXSN_LINEAR = 0, /* all operands dense in one order of the dimensions behind T */
    FLEXSN_STRIDED = 1 /* each operand by strides of its own */
} flexsn_layout;

/* Where kernels run: the CPU. */
FLEXSN_API DLDevice flexsn_cpu(void);

/* Checks the model under the options, for the device, and that all of it can be compiled. Machine code is made when it
 * is first needed (flexsn_neuron_prepare asks for it) and shared by all neurons of the process that need the same.
 * `options` may be NULL. The result is immutable. Findings that the options bring are in flexsn_diagnostic_*, also
 * after a success. Errors: FLEXSN_ERROR_MODEL, FLEXSN_ERROR_VALUE (a name), FLEXSN_ERROR_UNSUPPORTED (dtype, device).
 */
FLEXSN_API flexsn_status flexsn_neuron_compile(const flexsn_model *model, DLDevice device,
                                               const flexsn_options *options, flexsn_neuron **out);
FLEXSN_API void flexsn_neuron_free(flexsn_neuron *neuron);

/* Compiles and loads, without running, the program that a call with these initial and final states needs; which states
 * are given as tensors is part of a program. Operands are taken to be dense in one order, and some cache to hold
 * them; flexsn_neuron_bind makes ready for any. Several threads that need one program wait for one compilation. A
 * failure is the same for all that wait, and is tried again the next time. Errors: FLEXSN_ERROR_VALUE (a name),
 * FLEXSN_ERROR_DEVICE. */
FLEXSN_API flexsn_status flexsn_neuron_prepare(const flexsn_neuron *neuron, flexsn_kernel kernel,
                                               const char *const *initial_states, size_t initial_state_count,
                                               const char *const *final_states, size_t final_state_count);

/* A value by name: a tensor, or where `tensor` is NULL the number `value`.
 *
 * A tensor for a parameter has the shape of its dims, in the order step, channel, neuron. Of sequences of shape
 * [T, batch, channel, ...] step is T, channel is dimension 2, or flexsn_call::channel_dim, and neuron dimensions 2 and
 * up; of [T, N] channel and neuron are both N; of [T] they are 1. One number stands for all. Its type is float64 where
 * the data is, else float32, or an int's and a bool's. What is set under NAME of a transformed parameter is read by
 * flexsn_neuron_bind, all other tensors by each run. */
typedef struct flexsn_named {
  const char *name;
  const DLTensor *tensor;
  double value;
} flexsn_named;

/* The gradients of a training step: a call of FLEXSN_FORWARD, then one of FLEXSN_BACKWARD with the same inputs,
 * parameters, initial states, names and shapes; the very same struct will do. Both are compiled for exactly the
 * gradients that are named. A gradient has the shape and type of what it belongs to; that of an output that is a whole
 * number has the data's type, that of a parameter with dims the shape of its dims, also where the parameter is given as
 * one number. */
typedef struct flexsn_gradients {
  size_t struct_size;
  const DLTensor *const *outputs; /* what flows back into the outputs, one each; NULL for a bool's. Forward: not read */
  size_t output_count;
  const flexsn_named *final_states; /* the same for states behind the last step, by name. Forward: names alone */
  size_t final_state_count;
  const flexsn_named *wanted; /* inputs, initial states that are given as tensors, and parameters, by name, and the
                               * tensor to write: for a parameter of one value one without dimensions. The gradient of
                               * a transformed parameter is of what is stored, raw_NAME. Forward: names alone. */
  size_t wanted_count;
  void *residual; /* memory of flexsn_neuron_residual_bytes: written by forward, read by backward; NULL for 0 bytes */
  size_t residual_bytes;
} flexsn_gradients;

/* Operands of a call. Shapes: inputs and outputs are [T, ...] with one common shape, states are [...]. All of them are
 * read and written in place, whatever their strides and address: 0 and negative ones too, where an operand is not
 * written. Operands that are all dense in one order of the dimensions behind T, that of the first input, are walked
 * fastest; others need a program of their own (FLEXSN_STRIDED). An output may not overlap another operand or itself; a
 * final state may be exactly the memory of its own initial state. T is at least 1; no neurons (a size of 0) is a call
 * that does nothing. */
typedef struct flexsn_call {
  size_t struct_size;
  const DLTensor *const *inputs; /* in declared order */
  size_t input_count;
  const DLTensor *const *outputs; /* in the order of flexsn_options::outputs, else in declared order */
  size_t output_count;
  const flexsn_named *params;         /* NAME sets the value that the equations see, raw_NAME the stored one */
  size_t param_count;                 /* parameters left out have the text's value */
  const flexsn_named *initial_states; /* a tensor, or one number for all neurons */
  size_t initial_state_count;         /* states left out start from the declared value */
  const flexsn_named *final_states;   /* tensors to write */
  size_t final_state_count;
  int64_t steps;       /* T of a model without inputs; 0: as the tensors say */
  int32_t channel_dim; /* which dimension of sequences is the channel's, from the end if negative; 0: see above */
  int32_t reserved;    /* zero */
  const flexsn_gradients *gradients; /* of FLEXSN_FORWARD and FLEXSN_BACKWARD, else NULL */
} flexsn_call;

/* Checks all operands, then runs the kernel and returns when it is done. FLEXSN_FINAL_STATE takes no outputs,
 * FLEXSN_BACKWARD does not look at outputs and final states. The
 * calling thread's floating point control register is set to the default for the run and put back. Errors, in messages
 * that name the operand, what it got and what it needs: FLEXSN_ERROR_VALUE, FLEXSN_ERROR_TYPE, and
 * FLEXSN_ERROR_UNSUPPORTED for operands whose strides leave more than 5 dimensions that cannot be walked as one; and
 * those of flexsn_neuron_prepare. */
FLEXSN_API flexsn_status flexsn_neuron_run(const flexsn_neuron *neuron, flexsn_kernel kernel, const flexsn_call *call);

/* Bytes that a training step of this call keeps between its forward and its backward kernel; `call` as it is for
 * either of them: neither the residual nor, where there are inputs, outputs need be there. 0 for short sequences, of up
 * to some 16 steps. Errors: those of flexsn_neuron_run. */
FLEXSN_API flexsn_status flexsn_neuron_residual_bytes(const flexsn_neuron *neuron, const flexsn_call *call,
                                                      size_t *out);

/* A call with everything decided: checked, compiled, loaded, parameters prepared. */
typedef struct flexsn_bound flexsn_bound;

/* Does all of flexsn_neuron_run but the run. The memory of the tensors must outlive the last run; structs, names and
 * shapes need not. */
FLEXSN_API flexsn_status flexsn_neuron_bind(const flexsn_neuron *neuron, flexsn_kernel kernel, const flexsn_call *call,
                                            flexsn_bound **out);
/* Runs on what the memory holds now. No allocation and no lock; no system call unless the call is large enough to share
 * its work with other threads (256 KiB of operands and more). Cannot fail but for NULL, and leaves flexsn_last_error()
 * as it is. */
FLEXSN_API flexsn_status flexsn_bound_run(flexsn_bound *bound);
FLEXSN_API void flexsn_bound_free(flexsn_bound *bound);

/* ---- Threads ----
 * Large calls share their work with threads of the library, which start when the first such call is bound or run, and
 * again in a forked child; a call that was bound before the fork runs in the child on the calling thread alone. So does
 * a call that comes while another has the threads. Results are the same bit for bit for any number of threads. */

/* How many threads a call may use, the calling one included: the environment's FLEXSN_NUM_THREADS (read once), else the
 * number of CPUs that the process may run on. FLEXSN_ERROR_VALUE, here and from run and bind, if the environment has
 * something else than a whole number from 1 to 1024. */
FLEXSN_API flexsn_status flexsn_num_threads(int32_t *out);
/* Sets it, from 1 to 1024, in place of what the environment says. Bound calls keep the number that they were bound
 * with. */
FLEXSN_API flexsn_status flexsn_set_num_threads(int32_t threads);

#ifdef __cplusplus
}
#endif

#include "cache.h"
#include "inspect.h"

#endif /* FLEXSN_FLEXSN_H */
