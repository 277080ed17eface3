import BlueZ
import TachogramCore

/// A filter of broadcasting straps.
package struct BroadcastFilter: Sendable {
  private let selectors: [StrapSelector]

  /// Creates a filter for the selected straps; an empty list or `any` selects all.
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
