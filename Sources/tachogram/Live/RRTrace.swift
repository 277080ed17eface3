import TachogramCore

/// The curve of the last RR intervals, drawn in Braille dots, or in ASCII where the terminal has no Braille.
///
/// A doubtful beat is an `×` (`x`) at its place, a gap an upright dashed line; the newest beat is at the right.
struct RRTrace {
  private enum Cell {
    case dots(UInt8)
    case mark
    case gap
  }

  /// The lowest and highest interval of the scale, in ms.
  let low: Double
  let high: Double
  private let beats: ArraySlice<LiveBeat>
  private let width: Int
  private let height: Int
  private let unicode: Bool
  /// Columns of dots, or of characters in ASCII, to a beat, and to a cell.
  private let step: Int
  private let cellStep: Int

  /// The trace of `beats` in `width` columns and `height` rows. Below 100 ms of range the scale is not stretched
  /// further,
  /// so that a calm heart does not look wild.
  init(_ beats: [LiveBeat], width: Int, height: Int, unicode: Bool) {
    self.width = max(0, min(width, 500))
    self.height = max(0, min(height, 50))
    self.unicode = unicode
    cellStep = unicode ? 2 : 1
    step = unicode && width >= LiveReading.beatCapacity ? 2 : 1
    self.beats = beats.suffix(self.width * cellStep / step)
    let sound = self.beats.filter { !$0.marks.isOutOfRange }.map(\.rr.milliseconds)
    var low = sound.min() ?? 0
    var high = sound.max() ?? 0
    if high - low < 100 {
      let middle = (low + high) / 2
      (low, high) = (max(0, middle - 50), max(100, middle + 50))
    }
    (self.low, self.high) = (low, high)
  }

  /// The rows, from the top; each `width` columns.
  func rows(isStale: Bool) -> [StyledText] {
    guard height > 0, width > 0 else { return [] }
    let cells = unicode ? brailleCells() : asciiCells()
    return cells.map { row in
      var text = StyledText()
      for cell in row {
        switch cell {
        case .dots(let dots):
          text.append(character(dots), isStale ? .faint : .plain)
        case .mark: text.append(unicode ? "×" : "x", isStale ? .faintBad : .bad)
        case .gap: text.append(unicode ? "┊" : "|", .faint)
        }
      }
      return text
    }
  }

  /// Where an interval is, from 0 at the bottom to `levels` − 1 at the top; those off the scale at its edge.
  private func level(_ beat: LiveBeat, of levels: Int) -> Int {
    let share = (beat.rr.milliseconds - low) / (high - low)
    return min(levels - 1, max(0, Int((min(1, max(0, share)) * Double(levels - 1)).rounded())))
  }

  // MARK: - Placing

  private var blank: [[Cell]] {
    [[Cell]](repeating: [Cell](repeating: .dots(0), count: width), count: height)
  }

  /// The beats that have room, the oldest first, each with the column of its left edge. The newest is at the right; a
  /// gap
  /// takes a cell of its own.
  private func placed() -> (beats: [(beat: LiveBeat, column: Int)], gapCells: [Int]) {
    var placed: [(beat: LiveBeat, column: Int)] = []
    var gapCells: [Int] = []
    var column = width * cellStep
    for beat in beats.reversed() {
      column -= step
      guard column >= 0 else { break }
      placed.append((beat, column))
      if beat.followsGap {
        column -= column % cellStep + cellStep
        guard column >= 0 else { break }
        gapCells.append(column / cellStep)
      }
    }
    return (placed.reversed(), gapCells)
  }

  // MARK: - Braille

  private func brailleCells() -> [[Cell]] {
    var cells = blank
    let placed = placed()
    var previous: Int?
    for (beat, column) in placed.beats {
      let level = level(beat, of: height * 4)
      let from = beat.followsGap ? level : previous ?? level
      for dot in min(from, level)...max(from, level) { set(&cells, column: column, level: dot) }
      if step == 2 { set(&cells, column: column + 1, level: level) }
      if !beat.marks.isEmpty { cells[height - 1 - level / 4][column / 2] = .mark }
      previous = level
    }
    for cell in placed.gapCells { for row in 0..<height { cells[row][cell] = .gap } }
    return cells
  }

  private func set(_ cells: inout [[Cell]], column: Int, level: Int) {
    let row = height - 1 - level / 4
    guard case .dots(let dots) = cells[row][column / 2] else { return }
    cells[row][column / 2] = .dots(dots | Self.dot(isRight: column % 2 == 1, levelInCell: level % 4))
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

  // MARK: - ASCII

  /// A character a beat, three levels a row.
  private func asciiCells() -> [[Cell]] {
    var cells = blank
    let placed = placed()
    for (beat, column) in placed.beats {
      let level = level(beat, of: height * 3)
      cells[height - 1 - level / 3][column] = beat.marks.isEmpty ? .dots(UInt8(level % 3 + 1)) : .mark
    }
    for cell in placed.gapCells { for row in 0..<height { cells[row][cell] = .gap } }
    return cells
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
