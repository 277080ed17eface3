import CommandProcess
import Foundation
import Glibc
import Synchronization

/// A full-screen terminal: alternate screen, no cursor, and only changes are written. The terminal is restored however the
/// program ends.
///
/// A separate thread reads and writes, so that a terminal that does not read, such as that of a dead ssh connection, delays
/// nothing else: frames that it misses are left out. At most one can exist at a time.
package final class TerminalScreen: Sendable {
  private struct State {
    var frame: [String]?
    var size: TerminalSize
    var isClosing = false
  }

  /// Changes of the size, then the end as the last event.
  package let events: AsyncStream<TerminalEvent>

  private let state: Mutex<State>
  private let wake: Int32
  private let finished = DispatchSemaphore(value: 0)

  /// Opens the terminal behind standard output, or behind another descriptor.
  package static func open(output: Int32 = STDOUT_FILENO) throws(TerminalError) -> TerminalScreen {
    guard isatty(output) == 1 else { throw .notATerminal }
    // Opened again, so that it can be non-blocking without affecting the shell's.
    var terminal = Glibc.open("/proc/self/fd/\(output)", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if terminal < 0 { terminal = fcntl(output, F_DUPFD_CLOEXEC, 3) }
    guard terminal >= 0 else { throw .system(call: "open", code: errno) }
    var pipe: [Int32] = [-1, -1]
    guard Glibc.pipe(&pipe) == 0 else {
      let code = errno
      Glibc.close(terminal)
      throw .system(call: "pipe", code: code)
    }
    for descriptor in pipe {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    do {
      try TerminalGuard.claim(terminal: terminal, wake: pipe[1])
      return TerminalScreen(terminal: terminal, wakeRead: pipe[0], wakeWrite: pipe[1])
    } catch {
      for descriptor in pipe + [terminal] { Glibc.close(descriptor) }
      throw error
    }
  }

  private init(terminal: Int32, wakeRead: Int32, wakeWrite: Int32) {
    let (events, continuation) = AsyncStream<TerminalEvent>.makeStream(bufferingPolicy: .bufferingNewest(16))
    self.events = events
    wake = wakeWrite
    state = Mutex(State(size: TerminalSize.of(terminal)))
    let loop = TerminalLoop(terminal: terminal, wake: wakeRead, events: continuation)
    let thread = Thread { [self] in
      loop.run(frame: { size in
        self.state.withLock { state in
          state.size = size
          defer { state.frame = nil }
          return state.isClosing ? .close : state.frame.map(TerminalLoop.Order.show) ?? .nothing
        }
      })
      TerminalGuard.leave()
      TerminalGuard.release()
      Glibc.close(terminal)
      Glibc.close(wakeRead)
      self.finished.signal()
    }
    thread.name = "terminal"
    thread.start()
  }

  /// The current size.
  package var size: TerminalSize { state.withLock(\.size) }

  /// Shows a frame: one line per row, as `LiveScreen` creates them. Never waits.
  package func show(_ lines: [String]) {
    state.withLock { state in
      guard !state.isClosing else { return }
      state.frame = lines
      ring()
    }
  }

  /// Restores the terminal and the signal handlers. Has no effect when called again.
  package func close() {
    let isFirst = state.withLock { state in
      if state.isClosing { return false }
      state.isClosing = true
      ring()
      return true
    }
    guard isFirst else { return }
    finished.wait()
    Glibc.close(wake)
  }

  private func ring() {
    var byte: UInt8 = 0
    _ = write(wake, &byte, 1)
  }
}
