import BlueZ
import TachogramCore

/// A filter of broadcasting straps.
package struct BroadcastFilter: Sendable {
  private let selectors: [StrapSelector]

  /// Creates a filter for the selected straps; an empty list or `any` selects all.
  package init(_ selectors: [StrapSelector]) {
    self.selectors = selectors.contains(.any) ? [] : selectors
  }

  /// Whether it selects a strap by its address, so that others cannot pose as many of it.
  package func names(_ address: BluetoothAddress) -> Bool {
    selectors.contains { selector in
      if case .address(let named) = selector { named.matches(address) } else { false }
    }
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
