/// The changes to what people wrote about a session. `nil` leaves a value unchanged; `.some(nil)` removes it.
package struct SessionEdit: Hashable, Sendable {
  package var person: String??
  package var label: String??
  package var note: String??

  package init(person: String?? = nil, label: String?? = nil, note: String?? = nil) {
    self.person = person
    self.label = label
    self.note = note
  }
}
