/// The style of a piece of text. A style never carries a meaning alone: a word or a pattern accompanies it.
package enum TextStyle: Hashable, Sendable, CaseIterable {
  case plain, strong, faint, good, notice, bad, faintBad

  /// The parameters of Select Graphic Rendition (ECMA-48, 8.3.117); empty for plain.
  package func parameters(colour: Bool) -> String {
    switch self {
    case .plain: ""
    case .strong: "1"
    case .faint: "2"
    case .good: colour ? "32" : ""
    case .notice: colour ? "33" : ""
    case .bad: colour ? "1;31" : "1"
    case .faintBad: colour ? "2;31" : "2"
    }
  }
}
