import Capture

/// Ctrl-C in a pipeline also ends the program that writes to it, so that the input of this one ends early.
package enum InputInterrupt {
  /// The time in milliseconds that the signal may come after the end of a pipe: the kernel signals the programs of a pipeline one
  /// after another, and the one that writes may be gone before the one that reads is signalled.
  private static let delay: Int32 = 50

  /// Returns the failure of a command that has stored the received part of `file`, if the input was cut off by Ctrl-C,
  /// otherwise `nil`.
  package static func cutOff(_ file: InputFile) -> CommandFailure? {
    guard isPipe(file), Interrupt.isRequested(within: delay) else { return nil }
    return CommandFailure("\(file.name): stopped by the user; what had come by then is stored", code: .interrupted)
  }

  /// Returns the failure for `error` while `file` was read. An input that was cut off by Ctrl-C is not reported as damaged.
  package static func failure(_ error: any Error, of file: InputFile) -> CommandFailure {
    guard Interrupt.isRequested(within: isPipe(file) ? delay : 0) else {
      return CommandFailure(error, about: file.name)
    }
    if let failure = error as? CommandFailure, failure.code == .interrupted { return failure }
    return CommandFailure("\(file.name): stopped by the user before it was read", code: .interrupted)
  }

  private static func isPipe(_ file: InputFile) -> Bool {
    do { return try file.openedSize() == nil } catch { return false }
  }
}
