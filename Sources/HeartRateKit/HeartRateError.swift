/// An error in decoding or reading heart-rate data.
public enum HeartRateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not a Heart Rate Measurement; `problem` names the field and the byte.
  case malformed(problem: String)
  /// The file cannot be read or is not a capture with heart rates; `problem` names the file and a remedy.
  case unreadable(problem: String)

  /// A description of the problem.
  public var description: String {
    switch self {
    case .malformed(let problem), .unreadable(let problem): problem
    }
  }
}
