import Presentation
import TachogramCore

/// The curve of the last RR intervals, drawn in Braille dots, or in ASCII where the terminal has no Braille.
///
/// A doubtful beat is an `×` (`x`) at its place, a gap an upright dashed line; the newest beat is at the right.
struct RRTrace {
  /// The lowest and highest interval of the scale, in ms.
  let low: Double
  let high: Double
  private let beats: ArraySlice<LiveBeat>
  private let width: Int
  private let height: Int
  private let unicode: Bool
  /// The number of columns per beat and per cell: of dots, or of characters in ASCII.
  private let step: Int
  private let cellStep: Int

  /// Creates the trace of `beats` in `width` columns and `height` rows. The scale covers at least 100 ms, so that small
  /// variation is not exaggerated.
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

  /// Returns the rows from the top, each `width` columns wide.
  func rows(isStale: Bool) -> [StyledText] {
    guard height > 0, width > 0 else { return [] }
    return (unicode ? joined() : single()).rows(isStale: isStale)
  }

  /// Returns the level of an interval, from 0 at the bottom to `levels` − 1 at the top. Intervals off the scale are placed at
  /// its edge.
  private func level(_ beat: LiveBeat, of levels: Int) -> Int {
    let share = (beat.rr.milliseconds - low) / (high - low)
    return min(levels - 1, max(0, Int((min(1, max(0, share)) * Double(levels - 1)).rounded())))
  }

  // MARK: - Placing

  private var blank: TraceCanvas { TraceCanvas(width: width, height: height, unicode: unicode) }

  /// Returns the beats that fit, the oldest first, each with the column of its left edge. The newest is at the right, and a
  /// gap occupies a separate cell.
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

  // MARK: - Drawing

  /// Draws the beats as dots, each joined to the previous one by an upright line.
  private func joined() -> TraceCanvas {
    var canvas = blank
    let placed = placed()
    var previous: Int?
    for (beat, column) in placed.beats {
      let level = level(beat, of: canvas.levels)
      let from = beat.followsGap ? level : previous ?? level
      for dot in min(from, level)...max(from, level) { canvas.set(column: column, level: dot) }
      if step == 2 { canvas.set(column: column + 1, level: level) }
      if !beat.marks.isEmpty { canvas.mark(column: column, level: level) }
      previous = level
    }
    for cell in placed.gapCells { canvas.drawGap(cell: cell) }
    return canvas
  }

  /// Draws one character per beat.
  private func single() -> TraceCanvas {
    var canvas = blank
    let placed = placed()
    for (beat, column) in placed.beats {
      let level = level(beat, of: canvas.levels)
      if beat.marks.isEmpty {
        canvas.set(column: column, level: level)
      } else {
        canvas.mark(column: column, level: level)
      }
    }
    for cell in placed.gapCells { canvas.drawGap(cell: cell) }
    return canvas
  }
}
