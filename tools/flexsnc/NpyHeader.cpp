// The header of a .npy file is a Python dictionary. This reads the part of Python that numpy.save writes, nothing else.
#include "tools/flexsnc/Failure.h"
#include "tools/flexsnc/Npy.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace flexsn::cli {

namespace {

/// Reads a header from left to right; each `parse` function consumes what it returns.
class HeaderParser {
public:
  HeaderParser(std::string_view text, const std::string &name) : text(text), name(name) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      std::string key = parseString("a key");
      expect(':');
      parseValue(key);
      if (accept(','))
        continue;
      expect('}');
      break;
    }
    skipBlanks();
    if (at != text.size())
      fail("text after the dictionary");
    if (!element || !fortranOrder || !shape)
      fail(fmt::format("no '{}'", !element ? "descr" : !fortranOrder ? "fortran_order" : "shape"));
    return {*element, *fortranOrder, *shape};
  }

private:
  [[noreturn]] void fail(const std::string &what) {
    failWrong(fmt::format(
        "'{}': damaged .npy header: {}; expected {{'descr': ..., 'fortran_order': ..., 'shape': ...}}", name, what));
  }

  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
      ++at;
  }

  bool accept(char wanted) {
    skipBlanks();
    if (at >= text.size() || text[at] != wanted)
      return false;
    ++at;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted))
      fail(at < text.size() ? fmt::format("'{}' expected before '{}'", wanted, printable(text.substr(at, 12)))
                            : fmt::format("'{}' expected at its end", wanted));
  }

  std::string parseString(const char *what) {
    skipBlanks();
    char quote = at < text.size() ? text[at] : '\0';
    size_t end = quote == '\'' || quote == '"' ? text.find(quote, at + 1) : std::string_view::npos;
    if (end == std::string_view::npos)
      fail(fmt::format("{} in quotes expected", what));
    std::string value(text.substr(at + 1, end - at - 1));
    at = end + 1;
    return value;
  }

  void parseValue(const std::string &key) {
    if (key == "descr" && !element)
      element = parseDescription();
    else if (key == "fortran_order" && !fortranOrder)
      fortranOrder = parseBool();
    else if (key == "shape" && !shape)
      shape = parseShape();
    else
      fail(fmt::format("unexpected key '{}'", printable(key)));
  }

  /// How an array of numbers is made readable; nothing for what is no number.
  static std::string conversion(std::string_view type) {
    static constexpr std::string_view whole[] = {"i8", "u8", "u4", "i2", "u2"};
    bool isWhole = std::find(std::begin(whole), std::end(whole), type) != std::end(whole);
    bool isLong = type == "f12" || type == "f16";
    return isWhole  ? "save it with a.astype('i4'), or as floats with a.astype('f4')"
           : isLong ? "save it with a.astype('f8')"
                    : "";
  }

  /// numpy's type string: byte order, kind, bytes.
  Element parseDescription() {
    constexpr const char *readable = "f2, f4, f8, i1, i4, u1 and b1 are read";
    skipBlanks();
    if (at < text.size() && (text[at] == '[' || text[at] == '('))
      failWrong(fmt::format("'{}' holds a structured type; {}", name, readable));
    std::string description = parseString("the type");
    std::string_view type = description;
    char order = type.empty() ? '\0' : type.front();
    if (order == '<' || order == '>' || order == '|' || order == '=')
      type.remove_prefix(1);
    if (!type.empty() && type.front() == 'O')
      failWrong(fmt::format("'{}' holds Python objects, which are never loaded; {}", name, readable));
    for (Element candidate :
         {Element::F16, Element::F32, Element::F64, Element::I8, Element::U8, Element::I32, Element::Bool})
      if (type == elementName(candidate)) {
        if (order == '>' && elementBytes(candidate) > 1)
          failWrong(
              fmt::format("'{}' holds big-endian data ('{}'); save it with a.astype('<{}')", name, description, type));
        return candidate;
      }
    failWrong(fmt::format("'{}' holds elements of type '{}'; {}", name, printable(description.substr(0, 32)), readable),
              conversion(type));
  }

  bool parseBool() {
    skipBlanks();
    for (bool value : {true, false}) {
      std::string_view word = value ? "True" : "False";
      if (text.substr(at, word.size()) == word) {
        at += word.size();
        return value;
      }
    }
    fail("fortran_order is neither True nor False");
  }

  std::vector<int64_t> parseShape() {
    std::vector<int64_t> extents;
    expect('(');
    while (!accept(')')) {
      skipBlanks();
      size_t end = at;
      while (end < text.size() && text[end] >= '0' && text[end] <= '9')
        ++end;
      std::optional<int64_t> extent = parseInteger(text.substr(at, end - at));
      if (!extent)
        fail("the shape holds something else than whole numbers below 2^63");
      if (extents.size() == 32)
        fail("more than 32 dimensions");
      extents.push_back(*extent);
      at = end;
      if (accept(','))
        continue;
      expect(')');
      break;
    }
    return extents;
  }

  std::string_view text;
  const std::string &name;
  size_t at = 0;
  std::optional<Element> element;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<int64_t>> shape;
};

} // namespace

NpyHeader parseNpyHeader(std::string_view dictionary, const std::string &name) {
  return HeaderParser(dictionary, name).parse();
}

} // namespace flexsn::cli
