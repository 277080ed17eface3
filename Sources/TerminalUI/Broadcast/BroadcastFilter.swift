import BlueZ
import TachogramCore

/// Which of the straps that broadcast are wanted.
package struct BroadcastFilter: Sendable {
  private let selectors: [StrapSelector]

  /// `selectors` are the straps that are wanted; none, or any, for all.
  package init(_ selectors: [StrapSelector]) {
    self.selectors = selectors.contains(.any) ? [] : selectors
  }

  package func isWanted(_ heard: HeardBroadcast) -> Bool {
    selectors.isEmpty
      || selectors.contains { selector in
        switch selector {
        case .address(let address): address.matches(heard.address)
        case .name(let name): name == heard.name
        case .any: true
        }
      }
  }
}
