import CommandProcess

/// What happens to a terminal while something is shown on it.
package enum TerminalEvent: Hashable, Sendable {
  /// Why the user, or the system, wants the view to end.
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
