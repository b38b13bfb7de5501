// What all SVG pictures begin with: one size, one font, a title and a line below it.
#pragma once

#include <string>

namespace flexsn::cli {

/// Width of every picture, and where its contents may begin.
inline constexpr double svgWidth = 960, svgLeft = 64, svgTop = 56;

/// `text` inside an element or an attribute.
std::string svgEscaped(const std::string &text);

/// The head of a document of that height: background, title, subtitle. `</svg>` ends it.
std::string svgOpening(double height, const std::string &title, const std::string &subtitle);

} // namespace flexsn::cli
