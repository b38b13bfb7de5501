// Small helpers for text that people read: nearest names, wrapping, counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flexsn::cli {

/// The candidate that `word` most likely was meant to be: at most a third of its letters differ. A swap of two
/// neighbours counts half. Ties go to the earlier candidate.
std::optional<std::string> nearestName(std::string_view word, const std::vector<std::string> &candidates);

/// `; did you mean 'NAME'?`, or nothing.
std::string didYouMean(std::string_view word, const std::vector<std::string> &candidates);

/// "a, b and c"
std::string enumerate(const std::vector<std::string> &items, std::string_view conjunction = "and");

/// Breaks `text` at spaces so that no line is longer than `width`; the first line continues at column `at`, the others
/// begin with `indent` spaces.
std::string wrapped(std::string_view text, size_t at, size_t indent, size_t width = 80);

/// "1 spike", "12,345 spikes"
std::string counted(uint64_t count, std::string_view noun);

/// 12345 as "12,345".
std::string grouped(uint64_t count);

/// "[100, 64]"
std::string shapeText(const std::vector<int64_t> &shape);

/// "850 us", "12.3 ms", "4.56 s"
std::string durationText(double seconds);

/// "850 B", "12.3 KiB", "4.6 GiB"
std::string bytesText(uint64_t bytes);

/// `text` with control bytes and bytes that are not UTF-8 as \xNN, so that no file name or header drives the terminal.
std::string printable(std::string_view text);

/// `text` without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// Pieces of `text` between `separator`s, trimmed; no pieces for a blank text.
std::vector<std::string> splitList(std::string_view text, char separator = ',');

/// Whether `text` looks like the name of something in a model.
bool looksLikeName(std::string_view text);

/// The whole of `text` as a whole number, or as a finite double in Python's decimal form; nothing otherwise.
std::optional<int64_t> parseInteger(std::string_view text);
std::optional<double> parseNumber(std::string_view text);

} // namespace flexsn::cli
