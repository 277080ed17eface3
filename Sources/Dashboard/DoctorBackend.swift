/// The examination of the machine.
package protocol DoctorBackend: Sendable {
  func findings() async -> API.DoctorReport
  /// Solves what can be solved. Returns what was done, in words.
  func fix() async -> [String]
}
