/* flexsn.h is C11 and stands alone. */
#include <flexsn/flexsn.h>

/* Structs grow at their end: padding there would be taken for fields. */
#define NO_TAIL_PADDING(type, last)                                                                                    \
  _Static_assert(sizeof(type) == offsetof(type, last) + sizeof(((type *)0)->last), #type " ends in padding")
NO_TAIL_PADDING(flexsn_diagnostic, reserved);
NO_TAIL_PADDING(flexsn_parse_options, reserved);
NO_TAIL_PADDING(flexsn_part, flags);
NO_TAIL_PADDING(flexsn_options, dims_count);
NO_TAIL_PADDING(flexsn_param_dims, reserved);
NO_TAIL_PADDING(flexsn_gradients, residual_bytes);
NO_TAIL_PADDING(flexsn_call, gradients);
NO_TAIL_PADDING(flexsn_emit_options, wanted_count);
NO_TAIL_PADDING(flexsn_entry, detail);
NO_TAIL_PADDING(flexsn_statistics, cache_hits);
NO_TAIL_PADDING(flexsn_cache_settings, reserved);
NO_TAIL_PADDING(flexsn_cache_entry, reserved);
NO_TAIL_PADDING(flexsn_named, value);
NO_TAIL_PADDING(flexsn_constant, value);

/* The layout of version 0.1, which programs that exist rely on. */
_Static_assert(offsetof(flexsn_options, dims) == 64 && offsetof(flexsn_call, gradients) == 104, "layout");
_Static_assert(offsetof(flexsn_emit_options, wanted) == 72 && sizeof(flexsn_gradients) == 72, "layout");
_Static_assert(sizeof(flexsn_diagnostic) == 96 && sizeof(flexsn_part) == 80 && sizeof(flexsn_named) == 24, "layout");
_Static_assert(sizeof(flexsn_status) == 4 && sizeof(DLTensor) == 48 && sizeof(DLDevice) == 8, "layout");
