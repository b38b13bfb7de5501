// Elements of 16 bits, rounded to nearest even. pair() rounds two at once into one register.
struct f16 { unsigned short bits; };
template <> struct Item<f16> {
  using Bits = unsigned short;
#ifdef FLEXSN_CUDA_ON_CPU
  static float wide(unsigned bits) { return halfToFloat((unsigned short)bits); }
  static unsigned narrow(float value) { return floatToHalf(value); }
#else
  static DEVICE float wide(unsigned bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"((unsigned short)bits));
    return value;
  }
  static DEVICE unsigned narrow(float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
  }
#endif
  static DEVICE unsigned pair(float low, float high) {
#ifdef FLEXSN_SM80
    unsigned bits;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
#else
    return narrow(low) | narrow(high) << 16;
#endif
  }
};
struct bf16 { unsigned short bits; }; // the upper half of a float
template <> struct Item<bf16> {
  using Bits = unsigned short;
  static DEVICE float wide(unsigned bits) { return __uint_as_float(bits << 16); }
  static DEVICE unsigned narrow(float value) {
#ifdef FLEXSN_SM80
    return pair(value, 0.f);
#else
    unsigned bits = __float_as_uint(value);
    return value != value ? 0x7fffu : (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
#endif
  }
  static DEVICE unsigned pair(float low, float high) {
#ifdef FLEXSN_SM80
    unsigned bits;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
#else
    return narrow(low) | narrow(high) << 16;
#endif
  }
};
