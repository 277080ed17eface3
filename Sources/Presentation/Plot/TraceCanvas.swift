/// A canvas of character cells for a curve, drawn in Braille dots, or in ASCII if the terminal has no Braille.
package struct TraceCanvas {
  private enum Cell {
    case dots(UInt8)
    case mark
    case gap
  }

  package let width: Int
  package let height: Int
  private let unicode: Bool
  private var cells: [[Cell]]

  /// Creates an empty canvas, with the size in characters.
  package init(width: Int, height: Int, unicode: Bool) {
    self.width = width
    self.height = height
    self.unicode = unicode
    cells = [[Cell]](repeating: [Cell](repeating: .dots(0), count: width), count: height)
  }

  /// The number of dot columns per character.
  package var cellColumns: Int { unicode ? 2 : 1 }

  /// The number of dot levels; the lowest is 0.
  package var levels: Int { height * cellLevels }

  private var cellLevels: Int { unicode ? 4 : 3 }

  // MARK: - Drawing

  /// Sets a dot. In ASCII, a character shows only the level that was set last.
  package mutating func set(column: Int, level: Int) {
    let row = height - 1 - level / cellLevels
    guard case .dots(let dots) = cells[row][column / cellColumns] else { return }
    cells[row][column / cellColumns] =
      unicode
      ? .dots(dots | Self.dot(isRight: column % 2 == 1, levelInCell: level % 4)) : .dots(UInt8(level % 3 + 1))
  }

  /// Puts an `×` (`x`) in the place of a dot.
  package mutating func mark(column: Int, level: Int) {
    cells[height - 1 - level / cellLevels][column / cellColumns] = .mark
  }

  /// Draws a vertical dashed line in a column of characters; with `isBehind`, existing dots are kept.
  package mutating func drawGap(cell: Int, isBehind: Bool = false) {
    for row in 0..<height {
      if isBehind, case .dots(let dots) = cells[row][cell], dots != 0 { continue }
      cells[row][cell] = .gap
    }
  }

  /// The bit of a dot (Unicode, Braille Patterns): dots 7 3 2 1 on the left from the bottom, 8 6 5 4 on the right.
  private static func dot(isRight: Bool, levelInCell: Int) -> UInt8 {
    switch levelInCell {
    case 0: isRight ? 0x80 : 0x40
    case 1: isRight ? 0x20 : 0x04
    case 2: isRight ? 0x10 : 0x02
    default: isRight ? 0x08 : 0x01
    }
  }

  // MARK: - Reading

  /// Returns the symbol of an artifact.
  package static func markSign(unicode: Bool) -> String { unicode ? "×" : "x" }

  /// Returns the symbol of a gap.
  package static func gapSign(unicode: Bool) -> String { unicode ? "┊" : "|" }

  /// Returns the rows from top to bottom, each `width` columns wide.
  package func rows(isStale: Bool = false) -> [StyledText] {
    cells.map { row in
      var text = StyledText()
      for cell in row {
        switch cell {
        case .dots(let dots): text.append(character(dots), isStale ? .faint : .plain)
        case .mark: text.append(Self.markSign(unicode: unicode), isStale ? .faintBad : .bad)
        case .gap: text.append(Self.gapSign(unicode: unicode), .faint)
        }
      }
      return text
    }
  }

  private func character(_ dots: UInt8) -> String {
    if unicode { return dots == 0 ? " " : Unicode.Scalar(0x2800 + UInt32(dots)).map { String($0) } ?? " " }
    switch dots {
    case 1: return "_"
    case 2: return "-"
    case 3: return "^"
    default: return " "
    }
  }
}
