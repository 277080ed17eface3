/// The exit codes of the program.
package enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case badUsage = 2
  /// The input is damaged or has no heart-rate data.
  case badInput = 3
  case noBluetooth = 4
  /// The command was stopped by Ctrl-C.
  case interrupted = 130
}
