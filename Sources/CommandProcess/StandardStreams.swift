import Glibc
import Presentation
import Repository

/// Standard output for data, standard error for everything else.
package enum StandardStreams {
  /// Bytes that a pipe takes without waiting once it is ready (PIPE_BUF, pipe(7)).
  private static let readyBytes = 4096
  /// How long, in milliseconds, readers are waited for when the user has asked to stop.
  private static let timeout: Int32 = 1_000
  private static let errorTimeout: Int32 = 100

  /// Writes data; ends the process quietly when nobody reads any more, as `head` does to it.
  package static func out(_ text: String) {
    var copy = text
    copy.withUTF8 { write($0, to: STDOUT_FILENO) }
  }

  /// Writes data; returns the `errno` when that fails, `ETIMEDOUT` where nobody reads and the user has asked to stop.
  static func tryOut(_ text: String) -> Int32? {
    var copy = text
    return copy.withUTF8 { tryWrite($0, to: STDOUT_FILENO, timeout: timeout) }
  }

  /// Writes a line of data as `out` does, or leaves it out where nobody reads and the user has asked to stop: what is stored
  /// beside it must not wait for its reader.
  package static func outUnlessStopped(_ line: String) {
    var copy = line
    copy.withUTF8 { bytes in
      guard let reason = tryWrite(bytes, to: STDOUT_FILENO, timeout: errorTimeout), reason != ETIMEDOUT else {
        return
      }
      fail(reason)
    }
  }

  /// Writes bytes of data.
  package static func out(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { write($0, to: STDOUT_FILENO) }
  }

  /// Writes a line for people, without what acts on a terminal or begins another line: it may name files, and quote them.
  /// Leaves it out where nobody reads and the user has asked to stop.
  package static func error(_ line: String) {
    var copy = TerminalText.line(line) + "\n"
    copy.withUTF8 { write($0, to: STDERR_FILENO) }
  }

  /// Writes to standard error without ending the line.
  package static func errorPart(_ text: String) {
    var copy = text
    copy.withUTF8 { write($0, to: STDERR_FILENO) }
  }

  package static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  package static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The width of the terminal behind standard output.
  package static var outputColumns: Int { TerminalSize.of(STDOUT_FILENO).columns }

  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) {
    let isData = descriptor == STDOUT_FILENO
    guard let reason = tryWrite(bytes, to: descriptor, timeout: isData ? nil : errorTimeout), isData else { return }
    fail(reason)
  }

  /// There is no use in going on; that nobody reads any more is no news to anybody.
  private static func fail(_ reason: Int32) -> Never {
    if reason != EPIPE { error("tachogram: \(wording(reason))") }
    ProcessEnd.exit(.failed)
  }

  /// The words for what kept something from being written to standard output.
  package static func wording(_ code: Int32) -> String {
    let rest = SystemError.isFull(code) ? "; what was written before is not all" : ""
    return "cannot write to standard output: \(SystemError.text(code))\(rest)"
  }

  /// `timeout`: how long a reader that takes nothing is waited for when the user has asked to stop; without it the end of the
  /// process is waited for.
  private static func tryWrite(
    _ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32, timeout: Int32?,
  ) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      var piece = rest
      if let timeout {
        guard Interrupt.wait(for: descriptor, POLLOUT, afterRequest: timeout) else { return ETIMEDOUT }
        piece = rest.prefix(readyBytes)
      }
      let count = Glibc.write(descriptor, UnsafeBufferPointer(rebasing: piece).baseAddress, piece.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // As with a terminal that another program has set so.
        _ = Interrupt.wait(for: descriptor, POLLOUT, afterRequest: timeout ?? Self.timeout)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
