/// The width of text in the widest font that is usual on the systems of viewers, DejaVu Sans: pictures contain no font, so that
/// the font is not known.
enum TextWidth {
  /// The advance widths of the characters from U+0020 to U+007E in DejaVu Sans Bold 2.37, in thousandths of the font size.
  private static let bold: [Double] = [
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696, 696,
    696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995,
    837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716,
    678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712,
    365, 712, 838,
  ]
  /// The widths of DejaVu Sans relative to those of DejaVu Sans Bold: 0.91 on average, more for some characters.
  private static let regular = 0.93

  /// Returns the width of a text at a font size, in the same unit. The widths of characters outside ASCII are estimates.
  static func of(_ text: String, size: Double, isBold: Bool) -> Double {
    let thousandths = text.unicodeScalars.reduce(0) { $0 + width($1) }
    return thousandths / 1000 * size * (isBold ? 1 : regular)
  }

  private static func width(_ scalar: Unicode.Scalar) -> Double {
    if (0x20...0x7E).contains(scalar.value) { return bold[Int(scalar.value) - 0x20] }
    if scalar == "·" { return 380 }
    if scalar == "…" { return 1000 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // Latin, Greek, Cyrillic, Hebrew and Arabic; the widest letters of other scripts are about one em wide, emoji more.
    return scalar.value < 0x0700 ? 900 : scalar.properties.isEmojiPresentation ? 1400 : 1100
  }
}
