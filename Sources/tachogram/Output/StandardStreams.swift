import Glibc

/// Standard output for data, standard error for everything else.
enum StandardStreams {
  /// Writes data; ends the process quietly when nobody reads any more, as `head` does to it.
  static func out(_ text: String) {
    var copy = text
    copy.withUTF8 { write($0, to: STDOUT_FILENO) }
  }

  /// Writes data; returns the `errno` when that fails.
  static func tryOut(_ text: String) -> Int32? {
    var copy = text
    return copy.withUTF8 { tryWrite($0, to: STDOUT_FILENO) }
  }

  /// Writes bytes of data.
  static func out(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { write($0, to: STDOUT_FILENO) }
  }

  /// Writes a line for people.
  static func error(_ line: String) {
    var copy = line + "\n"
    copy.withUTF8 { write($0, to: STDERR_FILENO) }
  }

  /// Writes to standard error without ending the line.
  static func errorPart(_ text: String) {
    var copy = text
    copy.withUTF8 { write($0, to: STDERR_FILENO) }
  }

  static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The width of the terminal behind standard output.
  static var outputColumns: Int { TerminalLoop.size(of: STDOUT_FILENO).columns }

  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) {
    guard let reason = tryWrite(bytes, to: descriptor), descriptor == STDOUT_FILENO else { return }
    // There is no use in going on; that nobody reads any more is no news to anybody.
    if reason != EPIPE { error("tachogram: cannot write to standard output: \(String(cString: strerror(reason)))") }
    ProcessEnd.exit(.failed)
  }

  private static func tryWrite(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
