#include "tools/flexsnc/Svg.h"

#include <fmt/format.h>

namespace flexsn::cli {

std::string svgEscaped(const std::string &text) {
  std::string safe;
  for (char c : text)
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return safe;
}

std::string svgOpening(double height, const std::string &title, const std::string &subtitle) {
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                     "font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" font-size=\"12\" "
                     "fill=\"#41494f\">\n"
                     "<title>{2}</title>\n"
                     "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
                     "<text x=\"{3:.1f}\" y=\"24\" font-size=\"16\" font-weight=\"600\" fill=\"#14181b\">{2}</text>\n"
                     "<text x=\"{3:.1f}\" y=\"43\">{4}</text>\n",
                     svgWidth, height, svgEscaped(title), svgLeft, svgEscaped(subtitle));
}

} // namespace flexsn::cli
