import Repository

/// The facts about the machine, the input of the checks.
package struct DoctorFacts: Hashable, Sendable {
  package var bluetooth = BluetoothFacts()
  package var connection = ConnectionFacts()
  package var clock = ClockFacts()
  package var storage = StorageFacts()
  package var rights = RightsFacts()
  package var system = SystemFacts()
}
