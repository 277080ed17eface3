import CommandProcess
import Glibc

/// The work of the terminal's thread: waits for frames, keys and signals, one at a time.
struct TerminalLoop: Sendable {
  /// An order of the owner.
  enum Order {
    case nothing, close
    case show([String])
  }

  private struct Screen {
    var difference = FrameDifference()
    var frame: [String] = []
    /// The bytes that are not written yet.
    var unwritten: ArraySlice<UInt8> = []
    var size: TerminalSize
    var isGone = false
    var hasEnded = false
  }

  let terminal: Int32
  /// A pipe of signal numbers, and zeros for orders of the owner.
  let wake: Int32
  let events: AsyncStream<TerminalEvent>.Continuation

  /// Runs until the owner orders the end. `frame` is called with the size and returns an order.
  func run(frame: (TerminalSize) -> Order) {
    var screen = Screen(size: TerminalSize.of(terminal))
    unblockSignals()
    resume(&screen)
    while true {
      switch frame(screen.size) {
      case .close:
        events.finish()
        return
      case .show(let lines):
        screen.frame = lines
        draw(&screen)
      case .nothing: break
      }
      write(&screen)
      wait(&screen)
    }
  }

  // MARK: - Waiting

  private func wait(_ screen: inout Screen) {
    let isOurs = TerminalGuard.isEntered && !screen.isGone
    let wanted = (isOurs ? POLLIN : 0) | (isOurs && !screen.unwritten.isEmpty ? POLLOUT : 0)
    var descriptors = [
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      // poll(2) ignores a negative descriptor; otherwise the hangup of a terminal would be reported forever.
      pollfd(fd: isOurs ? terminal : -1, events: Int16(wanted), revents: 0),
    ]
    // A shell notifies a stopped job that it continues, but not a running one that it is now in the foreground.
    let isAway = !isOurs && !screen.isGone
    let count = poll(&descriptors, 2, isAway ? 300 : -1)
    if isAway { resume(&screen) }
    guard count > 0 else { return }
    if descriptors[0].revents != 0 { readNews(&screen) }
    if descriptors[1].revents & Int16(POLLIN) != 0 {
      readKeys(&screen)
    } else if descriptors[1].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 {
      hangUp(&screen)
    }
  }

  private func readNews(_ screen: inout Screen) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(wake, &bytes, bytes.count)
    guard count > 0 else { return }
    let numbers = Set(bytes.prefix(count).map(Int32.init))
    if numbers.contains(SIGINT) { end(.interrupt, &screen) }
    if numbers.contains(SIGTERM) { end(.terminate, &screen) }
    if numbers.contains(SIGHUP) { end(.hangup, &screen) }
    if numbers.contains(SIGTSTP) {
      TerminalGuard.leave()
      screen.unwritten = []
      TerminalGuard.stop()
      resume(&screen)
    } else if numbers.contains(SIGCONT) {
      resume(&screen)
    }
    if numbers.contains(SIGWINCH) { resize(&screen) }
  }

  private func readKeys(_ screen: inout Screen) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(terminal, &bytes, bytes.count)
    if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return hangUp(&screen) }
    // Cursor keys and similar ones arrive as one escape sequence, and are ignored.
    guard count > 0, bytes[0] != 0x1B else { return }
    let keys = bytes.prefix(count)
    if keys.contains(UInt8(ascii: "q")) || keys.contains(UInt8(ascii: "Q")) { end(.key, &screen) }
    // Ctrl-L redraws the screen after another program has written into it.
    if keys.contains(0x0C) {
      screen.difference.invalidate()
      draw(&screen)
    }
  }

  private func end(_ end: TerminalEvent.End, _ screen: inout Screen) {
    guard !screen.hasEnded else { return }
    screen.hasEnded = true
    events.yield(.ended(end))
    events.finish()
  }

  private func hangUp(_ screen: inout Screen) {
    screen.isGone = true
    screen.unwritten = []
    end(.hangup, &screen)
  }

  // MARK: - Drawing

  /// Enters the screen if this is the foreground job; a background job must not touch it.
  private func resume(_ screen: inout Screen) {
    let foreground = tcgetpgrp(terminal)
    guard foreground < 0 || foreground == getpgrp() else { return TerminalGuard.leave() }
    do {
      try TerminalGuard.enter()
    } catch {
      return hangUp(&screen)
    }
    screen.difference.invalidate()
    resize(&screen)
    // Unwritten bytes belong to the previous screen.
    screen.unwritten = []
    draw(&screen, after: TerminalCode.enter)
  }

  private func resize(_ screen: inout Screen) {
    let size = TerminalSize.of(terminal)
    guard size != screen.size else { return }
    screen.size = size
    screen.difference.invalidate()
    if !screen.hasEnded { events.yield(.resized(size)) }
  }

  /// Prepares the newest frame for writing. It waits while the previous one is not written.
  private func draw(_ screen: inout Screen, after prefix: String = "") {
    guard TerminalGuard.isEntered, !screen.isGone, screen.unwritten.isEmpty else { return }
    let text = prefix + screen.difference.update(to: screen.frame, size: screen.size)
    screen.unwritten = Array(text.utf8)[...]
  }

  private func write(_ screen: inout Screen) {
    while !screen.unwritten.isEmpty, TerminalGuard.isEntered, !screen.isGone {
      let count = screen.unwritten.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
      if count > 0 {
        screen.unwritten = screen.unwritten.dropFirst(count)
        // A frame that arrived while the terminal was busy.
        if screen.unwritten.isEmpty { draw(&screen) }
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        return hangUp(&screen)
      }
    }
  }

  private func unblockSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in TerminalGuard.ends + [SIGWINCH, SIGTSTP, SIGCONT] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
