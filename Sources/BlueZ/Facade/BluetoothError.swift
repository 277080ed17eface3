import TachogramCore

/// Why straps cannot be heard.
public enum BluetoothError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is no Bluetooth address.
  case notAnAddress(String)
  /// The bus, the daemon or the adapter is missing or does not do what it must; `problem` says which, and what helps.
  case unavailable(problem: String)

  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .notAnAddress(let text): "\"\(text)\" is no Bluetooth address; give one as in C8:DE:AD:BE:EF:01"
    case .unavailable(let problem): problem
    }
  }

  /// `nil` where nothing stands in the way.
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
