// The .npy reader against files as NumPy writes them, and against damaged and hostile ones.
#include "tools/flexsnc/Npy.h"
#include "tools/flexsnc/Failure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

using namespace flexsn::cli;

namespace {

/// Reads from memory, and remembers the largest piece that was asked for.
struct Memory {
  std::string bytes;
  size_t at = 0, largest = 0;
  size_t operator()(char *data, size_t size) {
    largest = std::max(largest, size);
    size_t count = std::min(size, bytes.size() - at);
    std::memcpy(data, bytes.data() + at, count);
    at += count;
    return count;
  }
};

Array readBytes(const std::string &bytes) { return readNpy(Memory{bytes}, "a.npy"); }

/// What the reader says about the bytes; "" if it takes them.
std::string complaint(const std::string &bytes) {
  try {
    readBytes(bytes);
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.status, ExitStatus::Wrong);
    return failure.what();
  }
  return "";
}

/// A version 1.0 file with that dictionary and `count` bytes of data.
std::string fileWith(const std::string &dictionary, size_t count, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {version, '\0', static_cast<char>(dictionary.size() & 255), static_cast<char>(dictionary.size() >> 8)};
  if (version > 1)
    bytes += {'\0', '\0'};
  return bytes + dictionary + std::string(count, '\0');
}

template <class T> Array arrayOf(Element element, std::vector<int64_t> shape, const std::vector<T> &values) {
  Array array = makeArray(element, std::move(shape));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

TEST(Npy, WritesWhatNumpyWrites) {
  std::string bytes = npyBytes(arrayOf<float>(Element::F32, {2, 3}, {1, 2, 3, 4, 5, 6}));
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(bytes.substr(10, header.size()), header);
  EXPECT_EQ(bytes.size(), 128u + 24u);
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_NE(npyBytes(makeArray(Element::Bool, {5})).find("'descr': '|b1', 'fortran_order': False, 'shape': (5,), }"),
            std::string::npos);
  EXPECT_NE(npyBytes(makeArray(Element::F64, {})).find("'shape': (), }"), std::string::npos);
}

TEST(Npy, ReadsBackEveryTypeAndRank) {
  for (Element element :
       {Element::F16, Element::F32, Element::F64, Element::I8, Element::U8, Element::I32, Element::Bool})
    for (const std::vector<int64_t> &shape : {std::vector<int64_t>{}, {1}, {7}, {0}, {3, 0}, {2, 3}, {2, 3, 4}}) {
      Array array = makeArray(element, shape);
      for (size_t i = 0; i < array.bytes.size(); ++i)
        array.bytes[i] = static_cast<char>(element == Element::Bool ? i % 2 : i * 7);
      Array back = readBytes(npyBytes(array));
      EXPECT_EQ(back.element, element);
      EXPECT_EQ(back.shape, shape);
      EXPECT_EQ(back.bytes, array.bytes);
    }
}

TEST(Npy, ReadsAllVersions) {
  const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
  for (char version : {1, 2, 3})
    EXPECT_EQ(readBytes(fileWith(dictionary, 8, version)).shape, std::vector<int64_t>{2}) << int(version);
}

TEST(Npy, TakesWhatPythonCallsADictionary) {
  for (const char *dictionary : {"{\"shape\":(2,),\"descr\":\"<i4\",\"fortran_order\":False}",
                                 "  { 'fortran_order' : False , 'shape' : ( 2 , ) , 'descr' : '=i4' , }  \n",
                                 "{'descr':'i4','fortran_order':True,'shape':(2)}"})
    EXPECT_EQ(readBytes(fileWith(dictionary, 8)).element, Element::I32) << dictionary;
}

TEST(Npy, KeepsFortranOrder) {
  std::string bytes = fileWith("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2), }", 12);
  for (int i = 0; i < 12; ++i)
    bytes[bytes.size() - 12 + static_cast<size_t>(i)] = static_cast<char>(i);
  Array array = readBytes(bytes);
  EXPECT_TRUE(array.fortranOrder);
  EXPECT_EQ(array.strides(), (std::vector<int64_t>{1, 2, 6})); // element (a, b, c) lies at a + 2 b + 6 c
  std::vector<double> values;
  for (int64_t i = 0; i < array.size(); ++i)
    values.push_back(array.at(i));
  EXPECT_EQ(values, (std::vector<double>{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}));
  EXPECT_EQ(readBytes(npyBytes(array)).bytes, array.bytes);
  EXPECT_TRUE(readBytes(npyBytes(array)).fortranOrder);
  // With one dimension both orders are the same.
  EXPECT_FALSE(readBytes(fileWith("{'descr': '|u1', 'fortran_order': True, 'shape': (2,), }", 2)).fortranOrder);
}

TEST(Npy, SaysWhatIsWrong) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  const std::string expected = "; expected {'descr': ..., 'fortran_order': ..., 'shape': ...}";
  const std::string readable = "; f2, f4, f8, i1, i4, u1 and b1 are read";
  auto with = [](const std::string &descr, const std::string &order, const std::string &shape) {
    return fileWith("{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }", 24);
  };
  std::string longHeader = fileWith("{'descr': '<f4'}", 0, 2);
  longHeader.replace(8, 4, "\xff\xff\xff\xff");
  const std::pair<std::string, std::string> cases[] = {
      {"", "'a.npy' is no .npy file: it does not begin with \\x93NUMPY"},
      {"hello, world", "'a.npy' is no .npy file: it does not begin with \\x93NUMPY"},
      {std::string("PK\3\4......", 10), "'a.npy' is an .npz archive; expected one .npy array"},
      {"\x93NUMPY\1", "'a.npy' is cut off within its first 8 bytes"},
      {std::string("\x93NUMPY\x09\x00\x10\x00", 10),
       "'a.npy' has .npy version 9.0; versions 1.0, 2.0 and 3.0 are read"},
      {std::string("\x93NUMPY\x01\x00\x10", 9), "'a.npy' is cut off: 1 of 2 bytes of its header length are there"},
      {fileWith(good, 0).substr(0, 30), "'a.npy' is cut off: 20 of 59 bytes of its header are there"},
      {longHeader, "'a.npy' claims a header of 4,294,967,295 bytes; at most 65,536 are read"},
      {fileWith(good, 23), "'a.npy' is cut off: shape [2, 3] of f4 needs 24 bytes of data, 23 are there"},
      {fileWith(good, 25), "'a.npy' goes on after its array: shape [2, 3] of f4 needs 24 bytes of data"},
      {with("'>f4'", "False", "(2, 3)"), "'a.npy' holds big-endian data ('>f4'); save it with a.astype('<f4')"},
      {with("'|O'", "False", "(2, 3)"), "'a.npy' holds Python objects, which are never loaded" + readable},
      {with("[('a', '<f4')]", "False", "(2, 3)"), "'a.npy' holds a structured type" + readable},
      {with("'<i8'", "False", "(2, 3)"), "'a.npy' holds elements of type '<i8'" + readable},
      {with("'<c8'", "False", "(2, 3)"), "'a.npy' holds elements of type '<c8'" + readable},
      {with("'\x1b[31m'", "False", "(2, 3)"), "'a.npy' holds elements of type '\\x1b[31m'" + readable},
      {with("''", "False", "(2, 3)"), "'a.npy' holds elements of type ''" + readable},
      {with("f4", "False", "(2, 3)"), "'a.npy': damaged .npy header: the type in quotes expected" + expected},
      {with("'<f4'", "0", "(2, 3)"),
       "'a.npy': damaged .npy header: fortran_order is neither True nor False" + expected},
      {with("'<f4'", "False", "[2, 3]"), "'a.npy': damaged .npy header: '(' expected before '[2, 3], }'" + expected},
      {with("'<f4'", "False", "(-2, 3)"),
       "'a.npy': damaged .npy header: the shape holds something else than whole numbers below 2^63" + expected},
      {with("'<f4'", "False", "(2.0, 3)"), "'a.npy': damaged .npy header: ')' expected before '.0, 3), }'" + expected},
      {with("'<f4'", "False", "(99999999999999999999,)"),
       "'a.npy': damaged .npy header: the shape holds something else than whole numbers below 2^63" + expected},
      {with("'<f4'", "False", "(4294967296, 4294967296)"),
       "'a.npy' claims the shape [4294967296, 4294967296], which no memory holds"},
      {with("'<f4'", "False", "(0, 4294967296, 4294967296)"),
       "'a.npy' claims the shape [0, 4294967296, 4294967296], which no memory holds"},
      {with("'<f4'", "False", "(4611686018427387904,)"),
       "'a.npy' claims the shape [4611686018427387904], which no memory holds"},
      {with("'|u1'", "False", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"),
       "'a.npy': damaged .npy header: more than 32 dimensions" + expected},
      {fileWith("{'descr': '<f4', 'shape': (6,)}", 24), "'a.npy': damaged .npy header: no 'fortran_order'" + expected},
      {fileWith("{'descr': '<f4', 'descr': '<f4'}", 24),
       "'a.npy': damaged .npy header: unexpected key 'descr'" + expected},
      {fileWith("{'dtype': '<f4'}", 24), "'a.npy': damaged .npy header: unexpected key 'dtype'" + expected},
      {fileWith("", 24), "'a.npy': damaged .npy header: '{' expected at its end" + expected},
      {fileWith("{'descr", 24), "'a.npy': damaged .npy header: a key in quotes expected" + expected},
      {fileWith(good + " x", 24), "'a.npy': damaged .npy header: text after the dictionary" + expected},
  };
  for (const auto &[bytes, message] : cases)
    EXPECT_EQ(complaint(bytes), message);
}

TEST(Npy, RefusesBoolsThatAreNone) {
  std::string bytes = fileWith("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", 3);
  bytes.back() = 2;
  EXPECT_EQ(complaint(bytes), "'a.npy' is of type b1, but byte 2 of its data is 2; a bool is 0 or 1");
}

TEST(Npy, BelievesNoSizeBeforeTheBytesAreThere) {
  Memory memory{fileWith("{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000,), }", 100)};
  EXPECT_THROW(readNpy(std::ref(memory), "a.npy"), Failure);
  EXPECT_LE(memory.largest, size_t(16) << 20);
}

TEST(Npy, EveryTruncationIsAnError) {
  std::string bytes = npyBytes(arrayOf<float>(Element::F32, {2, 3}, {1, 2, 3, 4, 5, 6}));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(complaint(bytes.substr(0, size)), "") << size;
}

TEST(Npy, EveryByteChangedIsReadOrRefused) {
  std::string good = npyBytes(arrayOf<float>(Element::F32, {2, 3}, {1, 2, 3, 4, 5, 6}));
  size_t read = 0, refused = 0;
  auto change = [&](size_t at, int value) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(value);
    try {
      Array array = readBytes(bytes);
      uint64_t size = 0;
      ASSERT_TRUE(arrayBytes(array.element, array.shape, size));
      EXPECT_EQ(array.bytes.size(), size) << "byte " << at << " is " << value;
      ++read;
    } catch (const Failure &) {
      ++refused;
    }
  };
  for (size_t at = 0; at < good.size(); ++at) {
    // Every value where lengths stand; elsewhere all that a header is made of, and the ends of what a byte can be.
    for (int value = 0; at < 10 && value < 256; ++value)
      change(at, value);
    constexpr std::string_view values("\0\x7f\x80\xff {}()[]':,-0129<>|=OTF\n", 27);
    for (char value : values)
      change(at, value);
  }
  EXPECT_GT(read, 24u * 30);     // the data, at least
  EXPECT_GT(refused, 50u * 25u); // nearly every change of the header
}

TEST(Array, HalvesAreExact) {
  const std::pair<uint16_t, double> cases[] = {{0x0000, 0.0},      {0x3c00, 1.0},      {0xc000, -2.0},
                                               {0x7bff, 65504.0},  {0x0001, 0x1p-24},  {0x03ff, 0x3ffp-24},
                                               {0x7c00, INFINITY}, {0xfc00, -INFINITY}};
  for (auto [bits, value] : cases)
    EXPECT_EQ(arrayOf<uint16_t>(Element::F16, {1}, {bits}).at(0), value) << bits;
  EXPECT_TRUE(std::isnan(arrayOf<uint16_t>(Element::F16, {1}, {0x7e00}).at(0)));
  EXPECT_TRUE(std::signbit(arrayOf<uint16_t>(Element::F16, {1}, {0x8000}).at(0)));
}

/// The bits of a double in a 16-bit type.
uint16_t narrowed(double value, Element element) {
  Array array = converted(arrayOf<double>(Element::F64, {1}, {value}), element, "x");
  return static_cast<uint16_t>(static_cast<unsigned char>(array.bytes[0]) | static_cast<unsigned char>(array.bytes[1])
                                                                                << 8);
}

TEST(Array, SixteenBitFloatsAreRoundedOnceToNearestEven) {
  for (uint32_t bits = 0; bits < 65536; ++bits)
    for (Element element : {Element::F16, Element::BF16}) {
      double value = arrayOf<uint16_t>(element, {1}, {static_cast<uint16_t>(bits)}).at(0);
      if (!std::isnan(value)) {
        ASSERT_EQ(narrowed(value, element), bits);
      }
    }
  const std::pair<double, uint16_t> halves[] = {
      {1 + 0x1p-11, 0x3c00}, {1 + 0x1.8p-10, 0x3c02}, {1 + 0x1p-11 + 0x1p-40, 0x3c01},
      {65519.99999, 0x7bff}, {65520, 0x7c00},         {-1e300, 0xfc00},
      {0x1p-25, 0x0000},     {0x1.8p-24, 0x0002},     {0x1p-25 + 0x1p-60, 0x0001},
      {0x1.ff8p-15, 0x03ff}, {0x1.fffp-15, 0x0400}};
  for (auto [value, bits] : halves)
    EXPECT_EQ(narrowed(value, Element::F16), bits) << value;
  const std::pair<double, uint16_t> brains[] = {
      {1 + 0x1p-8, 0x3f80}, {1 + 0x1.8p-7, 0x3f82}, {1 + 0x1p-8 + 0x1p-40, 0x3f81},
      {0x1.ffp127, 0x7f80}, {1e300, 0x7f80},        {0x1p-134, 0x0000},
      {0x1p-133, 0x0001}};
  for (auto [value, bits] : brains)
    EXPECT_EQ(narrowed(value, Element::BF16), bits) << value;
  EXPECT_EQ(narrowed(NAN, Element::F16) & 0x7fff, 0x7e00);
  EXPECT_EQ(narrowed(NAN, Element::BF16) & 0x7fff, 0x7fc0);
}

TEST(Array, ConvertsWholeNumbersAloneToInts) {
  Array array = arrayOf<double>(Element::F64, {3}, {1, 0, -3});
  EXPECT_EQ(converted(array, Element::I32, "x").at(2), -3);
  EXPECT_EQ(converted(array, Element::F32, "x").at(2), -3);
  auto message = [](double value, Element element) {
    try {
      converted(arrayOf<double>(Element::F64, {2}, {1, value}), element, "input 'x'");
    } catch (const Failure &failure) {
      return std::string(failure.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(0.5, Element::I32),
            "input 'x' must hold whole numbers from -2147483648 to 2147483647, but element 1 is 0.5");
  EXPECT_EQ(message(NAN, Element::Bool), "input 'x' must hold whole numbers from 0 to 1, but element 1 is nan");
  EXPECT_EQ(message(2, Element::Bool), "input 'x' must hold whole numbers from 0 to 1, but element 1 is 2");
  EXPECT_EQ(message(256, Element::U8), "input 'x' must hold whole numbers from 0 to 255, but element 1 is 256");
  EXPECT_EQ(message(-129, Element::I8), "input 'x' must hold whole numbers from -128 to 127, but element 1 is -129");
}

TEST(Array, IsNeverLargerThanTheMachine) {
  EXPECT_THROW(makeArray(Element::F64, {int64_t(1) << 50}), Failure);
  EXPECT_THROW(makeArray(Element::F64, {-1}), Failure);
}

} // namespace
