/// The progress on standard error, if that is a terminal and the input is long.
package struct Progress {
  private static let longInput: UInt64 = 20_000_000

  private let isShown: Bool
  private let label: String
  private var last = -1

  package init(label: String, inputSize: UInt64) {
    self.label = label
    isShown = StandardStreams.isErrorTerminal && inputSize >= Self.longInput
  }

  package mutating func show(_ share: Double) {
    let percent = Int(share * 100)
    guard isShown, percent != last else { return }
    last = percent
    StandardStreams.errorPart("\r\(label) \(percent) %")
  }

  /// Clears the line.
  package func clear() {
    if isShown, last >= 0 { StandardStreams.errorPart("\r\u{1B}[K") }
  }
}
