import Capture

/// Ctrl-C at a pipeline ends the program that writes as well: the end of the input is then none of what it wrote.
package enum InputInterrupt {
  /// The failure of a command that has stored what came of `file`, where that was cut off so; else `nil`.
  package static func cutOff(_ file: InputFile) -> CommandFailure? {
    guard Interrupt.isRequestedByNow, (try? file.openedSize()) == nil else { return nil }
    return CommandFailure("\(file.name): stopped by the user; what had come by then is stored", code: .interrupted)
  }

  /// What became of `file` where `error` was thrown: a file that was cut off so is not to be blamed for what it lacks.
  package static func failure(_ error: any Error, of file: InputFile) -> CommandFailure {
    guard Interrupt.isRequestedByNow else { return CommandFailure(error, about: file.name) }
    if let failure = error as? CommandFailure, failure.code == .interrupted { return failure }
    return CommandFailure("\(file.name): stopped by the user before it was read", code: .interrupted)
  }
}
