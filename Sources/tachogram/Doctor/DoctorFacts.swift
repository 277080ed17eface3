/// What the checks judge: everything that was found out about the machine.
struct DoctorFacts: Hashable, Sendable {
  var bluetooth = BluetoothFacts()
  var connection = ConnectionFacts()
  var clock = ClockFacts()
  var storage = StorageFacts()
  var rights = RightsFacts()
  var system = SystemFacts()
}
