// Elements of one byte: bools, and whole numbers that are stored saturated.
struct bool8 { unsigned char byte; };
template <> struct Item<bool8> {
  using Bits = unsigned char;
  static DEVICE bool wide(unsigned bits) { return (bits & 0xff) != 0; }
  static DEVICE unsigned narrow(bool value) { return value; }
};
struct int8 { unsigned char byte; };
template <> struct Item<int8> {
  using Bits = unsigned char;
  template <class Real> static DEVICE unsigned narrow(Real value) { // of a whole number; NaN gives 0
    Real low = value < Real(-128) ? Real(-128) : value;
    Real both = low > Real(127) ? Real(127) : low;
    return unsigned(int(both != both ? Real(0) : both)) & 0xff;
  }
};
