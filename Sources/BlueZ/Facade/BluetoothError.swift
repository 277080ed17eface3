import TachogramCore

/// An error that prevents the use of straps.
public enum BluetoothError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not a Bluetooth address.
  case notAnAddress(String)
  /// The bus, the daemon or the adapter is missing or does not work. `problem` describes the cause and the remedy.
  case unavailable(problem: String)

  /// A description of the error for people.
  public var description: String {
    switch self {
    case .notAnAddress(let text): "\"\(text)\" is no Bluetooth address; give one as in C8:DE:AD:BE:EF:01"
    case .unavailable(let problem): problem
    }
  }

  /// Creates an error, or returns `nil` if Bluetooth is ready.
  init?(_ availability: BluetoothAvailability) {
    if case .noBus(let error) = availability {
      self = .unavailable(
        problem: "the D-Bus bus cannot be reached (\(BluetoothWording.detail(error))); start D-Bus, or name another bus"
      )
      return
    }
    guard let problem = BluetoothWording.problem(availability) else { return nil }
    self = .unavailable(problem: problem)
  }
}
