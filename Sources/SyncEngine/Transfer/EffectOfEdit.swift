import FoundationEssentials
import Repository
import Sync
import TachogramCore

extension SyncArrival.Effect {
  /// Creates the effect of an edit that holds. Returns `nil` for targets and fields of newer programs, and for texts that are no
  /// values of their field.
  init?(_ edit: Edit) {
    let id = edit.target.id
    switch (edit.target.kind, edit.change) {
    case (.session, .delete): self = .deletedSession(id)
    case (.session, .set(.name, let value)): self = .session(id, SessionEdit(label: .some(value)))
    case (.session, .set(.note, let value)): self = .session(id, SessionEdit(note: .some(value)))
    case (.session, .set(.person, let value)): self = .session(id, SessionEdit(person: .some(value)))
    case (.strap, .set(.name, let value?)):
      guard let address = BluetoothAddress(targetID: id) else { return nil }
      self = .strap(address, name: value, person: nil)
    case (.strap, .set(.owner, let value)):
      guard let address = BluetoothAddress(targetID: id) else { return nil }
      self = .strap(address, name: nil, person: .some(value))
    case (.measurement, .delete):
      guard let id = UUID(uuidString: id) else { return nil }
      self = .deletedLevel(id)
    case (.marker, .delete): self = .deletedMarker(id)
    case (.marker, .set(.marker, let value?)):
      guard let value = MarkerValue(text: value) else { return nil }
      self = .marker(value.marker(id), session: value.session)
    case (.selection, .delete):
      guard let scope = SyncScope(text: id) else { return nil }
      self = .deleted(scope)
    case (.reading, .delete): self = .deletedReading(id)
    default: return nil
    }
  }
}
