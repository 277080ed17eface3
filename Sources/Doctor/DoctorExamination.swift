import BlueZ
import BluetoothKernel
import Dashboard
import FoundationEssentials
import Listening

/// Examines the machine on behalf of the command and of the page.
package struct DoctorExamination: Sendable {
  /// How long each step may take, in seconds.
  private static let timeout = 2

  private let radio: RadioChoice
  private let environment: [String: String]
  /// The folder that holds the database.
  private let stateFolder: String

  /// What is wrong with the database of this process, or `nil`.
  private let problem: String?
  /// Whether this process scans itself.
  private let isDiscovering: @Sendable () async -> Bool

  package init(
    radio: RadioChoice, environment: [String: String], stateFolder: String, problem: String? = nil,
    isDiscovering: @escaping @Sendable () async -> Bool = { false },
  ) {
    self.radio = radio
    self.environment = environment
    self.stateFolder = stateFolder
    self.problem = problem
    self.isDiscovering = isDiscovering
  }

  package func report() async -> DoctorReport {
    let (availability, adapters) = await BluetoothAvailability.check(
      radio.bus, adapter: radio.adapter, timeout: .seconds(Self.timeout))
    let answer = BluetoothAnswer(
      availability: availability, adapters: adapters, wantedAdapter: radio.adapter, timeout: Double(Self.timeout))
    var facts = answer.facts
    if await isDiscovering() { for index in facts.adapters.indices { facts.adapters[index].isDiscovering = false } }
    if facts.daemon != .running, radio.isOfThisMachine {
      facts.kernelAdapters = try? await ManagementSocket.open().adapters()
    }
    return DoctorReport(
      DoctorCollector(environment: environment, stateFolder: stateFolder).facts(bluetooth: facts), problem: problem)
  }

  /// Removes soft rfkill blocks and switches adapters on. Returns what it did, in words.
  package func switchOn() async -> [String] {
    let rfkill = radio.isOfThisMachine ? RFKill() : nil
    return await RadioSwitch(bus: radio.bus, adapter: radio.adapter, rfkill: rfkill)
      .on(timeout: .seconds(Self.timeout)).map(BluetoothWording.text)
  }
}

extension DoctorExamination: DoctorBackend {
  package func findings() async -> API.DoctorReport {
    let report = await report()
    return API.DoctorReport(
      usable: report.usable,
      findings: report.findings.map { finding in
        API.DoctorFinding(
          id: finding.id, severity: finding.severity.rawValue, what: finding.what, remedy: finding.remedy,
          isFixable: finding.isFixable)
      })
  }

  package func fix() async -> [String] { await switchOn() }
}
