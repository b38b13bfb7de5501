// What every kernel starts with: words, bits, and how an element lies in memory. No header is included: each would cost
// more time than the kernel's own compilation. PTX stands in templates/ alone; every piece has a twin in plain C++, so
// that tests can run the very same text on a CPU. Numbers of a type are enums: static members would be variables of
// the GPU's.
#define DEVICE __device__ __forceinline__
#ifdef FLEXSN_CUDA_ON_CPU
#define KERNEL static
#define ARGUMENT const
#else
#define KERNEL extern "C" __global__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define ARGUMENT const
#else
#define ARGUMENT const __grid_constant__
#endif
#endif
#if !defined(FLEXSN_CUDA_ON_CPU) && __CUDA_ARCH__ >= 800
#define FLEXSN_SM80 1
#endif

using i64 = long long;
using u64 = unsigned long long;

// Item<E>: between E's bits in memory, at the low end of a register, and the value that the step computes with.
template <class E> struct Item;
template <> struct Item<float> {
  using Bits = unsigned;
  static DEVICE float wide(unsigned bits) { return __uint_as_float(bits); }
  static DEVICE unsigned narrow(float value) { return __float_as_uint(value); }
};
template <> struct Item<double> {
  using Bits = u64;
  static DEVICE double wide(u64 bits) { return __longlong_as_double(i64(bits)); }
  static DEVICE u64 narrow(double value) { return u64(__double_as_longlong(value)); }
};
template <> struct Item<int> {
  using Bits = unsigned;
  static DEVICE int wide(unsigned bits) { return int(bits); }
  static DEVICE unsigned narrow(int value) { return unsigned(value); }
};
