import Foundation
import Testing

@testable import CommandProcess
@testable import TerminalUI

struct TerminalScreenTests {
  @Test func testOutputThatIsNoTerminal_IsRefused() throws {
    let pipe = Pipe()
    #expect(throws: TerminalError.notATerminal) {
      _ = try TerminalScreen.open(output: pipe.fileHandleForWriting.fileDescriptor)
    }
  }
}
