import CommandProcess

/// An event of a terminal while it is used as a screen.
package enum TerminalEvent: Hashable, Sendable {
  /// The reason for the end of the view.
  package enum End: Hashable, Sendable {
    /// The key `q`.
    case key
    /// Ctrl-C.
    case interrupt
    /// SIGTERM.
    case terminate
    /// The terminal was closed.
    case hangup
  }

  case resized(TerminalSize)
  /// The last event.
  case ended(End)
}
