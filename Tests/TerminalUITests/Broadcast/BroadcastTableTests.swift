import BlueZ
import Listening
import Presentation
import TachogramCore
import Testing

@testable import CommandProcess
@testable import TerminalUI

struct BroadcastTableTests {
  private func board(_ count: Int, name: String = "Polar H10 ") -> BroadcastBoard {
    var board = BroadcastSample.board()
    for number in 0..<count {
      let heard = BroadcastSample.heard(
        number, name: name + "\(10 + number)", rate: UInt8(60 + number % 90),
        contact: number % 3 != 0 ? .detected : .notDetected, at: number == 1 ? 0 : 9)
      _ = board.handle(heard)
    }
    return board
  }

  private func lines(
    _ board: BroadcastBoard, _ columns: Int, _ rows: Int, _ style: TerminalStyle = LiveSample.plain,
    notice: String? = nil,
  ) -> [String] {
    BroadcastTable(size: TerminalSize(columns: columns, rows: rows), style: style)
      .lines(board, at: BroadcastSample.time(10), notice: notice)
  }

  @Test(arguments: [0, 1, 2, 30, 70], [true, false])
  func testAnySize_FitsTheScreen(count: Int, isRich: Bool) throws {
    let boards = [
      board(count), board(count, name: "心率帯🫀\u{202E}\u{1B}[2J" + String(repeating: "é\u{301}", count: 99)),
    ]
    for board in boards {
      for columns in [0, 1, 9, 20, 30, 31, 50, 64, 65, 80, 131, 200] {
        for rows in [0, 1, 2, 3, 4, 24, 50] {
          for notice in [nil, "the disk is full"] {
            let lines = lines(board, columns, rows, isRich ? LiveSample.rich : LiveSample.plain, notice: notice)
            #expect(lines.count == rows)
            for line in lines {
              let shown = TerminalCode.withoutLooks(line)
              if DisplayWidth.columns(shown) > columns { Issue.record("\(columns)x\(rows): \(shown)") }
              if !isRich, !shown.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { Issue.record("not ASCII: \(shown)") }
            }
          }
        }
      }
    }
  }

  @Test func testThirtyStraps_AreAllOnAnOrdinaryScreen() throws {
    let text = lines(board(30), 80, 24).map(TerminalCode.withoutLooks).joined(separator: "\n")
    for number in 10..<40 { #expect(text.contains("Polar H10 \(number)")) }
    #expect(text.contains("60 bpm") && !text.contains(" more"))
    // Every third has none.
    #expect(text.split(separator: "no contact", omittingEmptySubsequences: false).count - 1 == 10)
  }

  @Test func testStaleStrap_ShowsNoRate() throws {
    let rows = lines(board(3), 80, 24).map(TerminalCode.withoutLooks)
    let stale = try #require(rows.first { $0.contains("Polar H10 11") })
    #expect(stale.contains("stale") && stale.contains("10 s") && !stale.contains("bpm"))
    #expect(rows.contains { $0.contains("Polar H10 10") && $0.contains("60 bpm") && $0.contains("no contact") })
  }

  @Test func testMoreThanFit_AreCounted() throws {
    let rows = lines(board(200), 80, 10).map(TerminalCode.withoutLooks)
    let shown = rows.joined().split(separator: "Polar H10", omittingEmptySubsequences: false).count - 1
    #expect(rows.contains { $0.contains("and \(200 - shown) more") })
  }

  @Test func testObstacleAndEmptiness_AreSaid() throws {
    var board = BroadcastSample.board()
    #expect(lines(board, 80, 24).first?.contains("no strap broadcasts yet") == true)
    board.handle(obstacle: .adapterBlocked)
    #expect(lines(board, 80, 24).first?.contains("rfkill") == true)
  }
}
