import BluetoothKernel
import Foundation
import Presentation
import TachogramCore
import Testing

@testable import Doctor

struct DoctorReportTests {
  @Test func testHealthyMachine_HasNothingToRemedy() {
    let report = DoctorReport(DoctorSample.healthy)
    #expect(report.usable)
    #expect(
      report.findings.map(\.id) == [
        "daemon.running", "adapter.ready", "connection.ready", "clock.synchronised", "storage.ready", "rights.capture",
        "rights.management", "system",
      ])
    #expect(report.findings.allSatisfy { $0.severity == .ok && $0.remedy == nil })
  }

  @Test(arguments: DoctorCase.bluetooth + DoctorCase.machine)
  func testOneFault_IsTheOnlyFindingWithARemedy(sample: DoctorCase) throws {
    let report = DoctorReport(sample.facts)
    let faults = report.findings.filter { $0.severity != .ok }
    #expect(faults.map(\.id) == [sample.id])
    let fault = try #require(report.findings.first)
    #expect(fault.id == sample.id)
    #expect(fault.severity == sample.severity)
    #expect(fault.remedy?.contains(sample.remedy) == true)
    #expect(report.usable == (sample.severity != .problem))
  }

  @Test func testBlockingFault_HidesItsConsequences() {
    let facts = DoctorSample.facts {
      $0.bluetooth.busError = .noBus(address: "")
      $0.bluetooth.daemon = .absent
      $0.bluetooth.adapters[0].isPowered = false
      $0.clock.isSynchronised = false
    }
    let report = DoctorReport(facts)
    #expect(report.findings.filter { $0.severity != .ok }.map(\.id) == ["bus.absent", "clock.unsynchronised"])
    #expect(!report.findings.contains { $0.id.hasPrefix("adapter") || $0.id.hasPrefix("daemon") })
  }

  /// What the kernel has, where bluetoothd cannot be asked.
  @Test(
    arguments: [
      (nil, nil, []), ([], nil, ["kernel.noAdapter"]), ([DoctorSample.kernelAdapter], nil, ["kernel.adapter"]),
      ([DoctorSample.kernelAdapter], (true, false), ["kernel.softBlocked"]),
      ([DoctorSample.kernelAdapter], (true, true), ["kernel.hardBlocked"]),
    ] as [([KernelAdapter]?, (soft: Bool, hard: Bool)?, [String])])
  func testDaemonAbsent_TellsWhatTheKernelHas(
    adapters: [KernelAdapter]?, blocks: (soft: Bool, hard: Bool)?, expected: [String],
  ) {
    for busError in [BluetoothFacts.BusError.noBus(address: ""), nil] {
      let facts = DoctorSample.facts { facts in
        facts.bluetooth.busError = busError
        facts.bluetooth.daemon = .absent
        facts.bluetooth.kernelAdapters = adapters
        facts.bluetooth.switches =
          blocks.map {
            [RFKillSwitch(index: 0, name: "hci0", isSoftBlocked: $0.soft, isHardBlocked: $0.hard)]
          } ?? []
      }
      let findings = DoctorReport(facts).findings.filter { $0.id.hasPrefix("kernel.") }
      #expect(findings.map(\.id) == expected)
      #expect(findings.allSatisfy { ($0.severity == .ok) == ($0.remedy == nil) && $0.severity != .problem })
    }
  }

  @Test func testFindings_AreOrderedBySeverity() {
    let facts = DoctorSample.facts {
      $0.connection = .init()
      $0.bluetooth.version = "5.50"
      $0.bluetooth.adapters[0].isPowered = false
    }
    let report = DoctorReport(facts)
    #expect(
      report.findings.prefix(4).map(\.id) == ["adapter.off", "daemon.old", "connection.defaults", "clock.synchronised"])
  }

  @Test func testJSON_HasItsKeys() throws {
    let report = DoctorReport(DoctorSample.facts { $0.bluetooth.daemon = .absent })
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(JSONOutput(isPretty: true).text(report).utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["usable", "findings"])
    #expect(object["usable"] as? Bool == false)
    let findings = try #require(object["findings"] as? [[String: Any]])
    #expect(findings.first.map { Set($0.keys) } == ["id", "severity", "what", "remedy"])
    #expect(findings.first?["severity"] as? String == "problem")
    #expect(findings.last.map { Set($0.keys) } == ["id", "severity", "what"])
  }

  @Test(arguments: [10, 40, 80, 200, .max], [true, false])
  func testText_FitsItsColumns(columns: Int, unicode: Bool) {
    let facts = DoctorSample.facts {
      $0.bluetooth.busError = .denied("\u{1B}[31mnein\n\u{7}")
      $0.connection = .init()
      $0.clock.isSynchronised = false
    }
    let text = DoctorText(style: TerminalStyle(colour: false, unicode: unicode), columns: columns)
      .text(DoctorReport(facts))
    // A path is not broken.
    let longestWord = "/etc/dbus-1/system.d/tachogram.conf".count + 12
    for line in text.split(separator: "\n") {
      #expect(DisplayWidth.columns(line) <= max(min(max(columns, 40), 120), longestWord))
      #expect(unicode || line.utf8.allSatisfy { $0 < 0x7F })
    }
    #expect(text.contains("?[31mnein"))
    #expect(text.contains("1 problem, 2 warnings"))
  }

  @Test func testText_HasSignAndWordBesideColour() {
    let report = DoctorReport(DoctorSample.facts { $0.bluetooth.adapters[0].isPowered = false })
    let lines = DoctorText(style: TerminalStyle(colour: true, unicode: true)).text(report).split(separator: "\n")
    #expect(lines[0].hasPrefix("\u{1B}[1;31m✗ problem\u{1B}[0m The adapter hci0"))
    #expect(lines[1].hasPrefix("          → bluetoothctl power on"))
    #expect(lines.last == "Straps cannot be received: start with the first fix (1 problem).")
  }
}
