/// The reason why the terminal cannot be used as a screen.
package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  case notATerminal
  /// The terminal is already in use by this process.
  case inUse
  /// A system call failed, with its `errno`.
  case system(call: String, code: Int32)

  package var description: String {
    switch self {
    case .notATerminal: "standard output is not a terminal; the live view then writes a line a notification"
    case .inUse: "the terminal is already in use by this program"
    case .system(let call, let code):
      "the terminal cannot be used: \(call) failed with error \(code); use --format ndjson, or send the output to a pipe"
    }
  }
}
