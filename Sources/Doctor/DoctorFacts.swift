import Repository

/// What the checks judge: everything that was found out about the machine.
package struct DoctorFacts: Hashable, Sendable {
  package var bluetooth = BluetoothFacts()
  package var connection = ConnectionFacts()
  package var clock = ClockFacts()
  package var storage = StorageFacts()
  package var rights = RightsFacts()
  package var system = SystemFacts()
}
