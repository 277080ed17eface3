/// What cannot be decoded or read.
public enum HeartRateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are no Heart Rate Measurement; `problem` names the field and the byte.
  case malformed(problem: String)
  /// The file is no capture with heart rates, or cannot be read; `problem` names it and says what to do.
  case unreadable(problem: String)

  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .malformed(let problem), .unreadable(let problem): problem
    }
  }
}
