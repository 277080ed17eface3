import Foundation
import HomeAssistant

/// The keys of a state message.
enum StateKeys {
  static var all: Set<String> {
    let json = try? JSONSerialization.jsonObject(with: Data(StrapState().payload)) as? [String: Any]
    return Set((json ?? [:]).keys)
  }
}
