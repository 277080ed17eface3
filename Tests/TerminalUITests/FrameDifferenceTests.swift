import Presentation
import Testing

@testable import CommandProcess
@testable import TerminalUI

struct FrameDifferenceTests {
  private let size = TerminalSize(columns: 10, rows: 4)

  @Test func testEqualFrame_WritesNothing() {
    var difference = FrameDifference()
    #expect(!difference.update(to: ["a", "b"], size: size).isEmpty)
    #expect(difference.update(to: ["a", "b"], size: size).isEmpty)
  }

  @Test func testChangedLine_IsWrittenAloneWithinOneUpdate() {
    var difference = FrameDifference()
    _ = difference.update(to: ["a", "b", "c"], size: size)
    #expect(
      difference.update(to: ["a", "x", "c"], size: size)
        == "\u{1B}[?2026h\u{1B}[2;1Hx\u{1B}[0m\u{1B}[K\u{1B}[?2026l")
  }

  @Test func testFullLine_IsNotErasedAtItsEnd() {
    var difference = FrameDifference()
    _ = difference.update(to: [""], size: size)
    #expect(!difference.update(to: ["\u{1B}[1m心率心率心\u{1B}[0m"], size: size).contains("\u{1B}[K"))
  }

  @Test func testOtherSizeOrInvalidation_DrawsAll() {
    var difference = FrameDifference()
    _ = difference.update(to: ["a"], size: size)
    #expect(difference.update(to: ["a"], size: TerminalSize(columns: 9, rows: 4)).contains("\u{1B}[2J"))
    difference.invalidate()
    #expect(difference.update(to: ["a"], size: TerminalSize(columns: 9, rows: 4)).contains("a"))
  }

  /// Whatever frames follow each other, a terminal that obeys the sequences shows the last one.
  @Test func testRandomFrames_LeaveTheLastOnTheScreen() {
    var random = SystemRandomNumberGenerator()
    var difference = FrameDifference()
    var screen = Screen(size: size)
    for _ in 0..<2000 {
      let frame = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        String("abcdefghij心".shuffled(using: &random).prefix(Int.random(in: 0...9, using: &random)))
      }
      screen.obey(difference.update(to: frame, size: size))
      for row in 0..<size.rows {
        #expect(screen.line(row) == (row < frame.count ? frame[row] : ""))
      }
    }
  }

  /// A terminal that knows the sequences in use; a wide character takes one cell and an empty one.
  private struct Screen {
    let size: TerminalSize
    var cells: [[Character?]]
    var row = 0
    var column = 0

    init(size: TerminalSize) {
      self.size = size
      cells = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
    }

    func line(_ row: Int) -> String {
      var text = String(cells[row].compactMap(\.self))
      while text.last == " " { text.removeLast() }
      return text
    }

    mutating func obey(_ text: String) {
      var rest = text[...]
      while let next = rest.popFirst() {
        guard next == "\u{1B}" else {
          put(next)
          continue
        }
        let sequence = rest.prefix { !$0.isLetter }
        let final = rest.dropFirst(sequence.count).first
        rest = rest.dropFirst(sequence.count + 1)
        switch final {
        case "H":
          row = (Int(sequence.dropFirst().prefix { $0 != ";" }) ?? 1) - 1
          column = 0
        case "K": for index in column..<size.columns { cells[row][index] = " " }
        case "J": cells = Screen(size: size).cells
        default: break
        }
      }
    }

    private mutating func put(_ character: Character) {
      let width = DisplayWidth.columns(String(character))
      guard column + width <= size.columns else { return }
      cells[row][column] = character
      if width == 2 { cells[row][column + 1] = nil }
      column += width
    }
  }
}
