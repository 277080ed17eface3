import Glibc
import Presentation
import Repository

/// The standard streams: output for data, error for everything else.
package enum StandardStreams {
  /// The number of bytes that a ready pipe accepts without blocking (PIPE_BUF, pipe(7)).
  private static let readyBytes = 4096
  /// The time limit for slow readers after a requested end, in milliseconds.
  private static let timeout: Int32 = 1_000
  private static let errorTimeout: Int32 = 100

  /// Writes data. Ends the process silently if the reader has closed the pipe, as `head` does.
  package static func out(_ text: String) {
    var copy = text
    copy.withUTF8 { write($0, to: STDOUT_FILENO) }
  }

  /// Writes data. Returns the `errno` of a failure, or `ETIMEDOUT` if the reader does not read after a requested end.
  static func tryOut(_ text: String) -> Int32? {
    var copy = text
    return copy.withUTF8 { tryWrite($0, to: STDOUT_FILENO, timeout: timeout) }
  }

  /// Writes a line of data as `out` does, but omits it if the reader does not read after a requested end, so that storing does
  /// not wait for the reader.
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

  /// Writes a line for people, without control characters and line ends: it may contain names of files. Omits it if the reader
  /// does not read after a requested end.
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

  /// Ends the process after a failure. A closed reader is not reported.
  private static func fail(_ reason: Int32) -> Never {
    if reason != EPIPE { error("tachogram: \(wording(reason))") }
    ProcessEnd.exit(.failed)
  }

  /// Returns the message for a failure to write to standard output.
  package static func wording(_ code: Int32) -> String {
    let rest = SystemError.isFull(code) ? "; what was written before is not all" : ""
    return "cannot write to standard output: \(SystemError.text(code))\(rest)"
  }

  /// Writes bytes. `timeout` is the time limit for a reader that does not read after a requested end; without it the end of the
  /// process is the limit.
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
        // As for a terminal that another program has set to non-blocking mode.
        _ = Interrupt.wait(for: descriptor, POLLOUT, afterRequest: timeout ?? Self.timeout)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
