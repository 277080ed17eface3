import BluetoothKernel
import Foundation
import Glibc
import Repository
import TachogramTestKit
import Testing

@testable import Doctor

struct DoctorCollectorTests {
  /// A file system with these files.
  private func withRoot<Result>(_ files: [String: String], _ body: (String) throws -> Result) throws -> Result {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("tachogram-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (path, text) in files {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return try body(root.path)
  }

  @Test(arguments: [
    (
      "[LE]\nMinConnectionInterval=6\nMaxConnectionInterval=0xC80\n",
      ConnectionDefaults(minimumInterval: 6, maximumInterval: 3200), nil
    ),
    ("[LE]\nMinConnectionInterval=5\n[General]\nMaxConnectionInterval=7\n", ConnectionDefaults(), nil),
    ("[LE]\nMinConnectionInterval=6\nnonsense\n", ConnectionDefaults(minimumInterval: 6), 3),
  ])
  func testMainConf_GivesConnectionParameters(text: String, configured: ConnectionDefaults, line: Int?) throws {
    let facts = try withRoot(["etc/bluetooth/main.conf": text]) { root in
      ConnectionFacts(KernelFacts(SystemTree(root: root)), adapters: ["hci0"])
    }
    #expect(facts == ConnectionFacts(configured: configured, malformedLine: line))
  }

  @Test(arguments: [
    ("0000000000003000", "1000 27", "bluetooth:x:27:", true, true, true),
    ("0", "1000", "bluetooth:x:27:pi", false, true, false),
    ("1000", "1000", "bluetooth:x:27:alpi,pip", false, false, false), ("zz", "", "audio:x:27:pi", false, false, false),
  ])
  func testProcFiles_GiveRights(
    capabilities: String, groups: String, group: String, canCapture: Bool, isMember: Bool, isActive: Bool,
  ) throws {
    let files = [
      "proc/self/status":
        "Name:\tx\nUid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\nGroups:\t\(groups) \nCapEff:\t\(capabilities)\n",
      "etc/passwd": "root:x:0:0::/:\npi:x:1000:1000::/home/pi:/bin/sh\n", "etc/group": "root:x:0:\n\(group)\n",
    ]
    let rights = try withRoot(files) { RightsFacts(SystemTree(root: $0)) }
    #expect(rights.user == "pi" && rights.userID == 1000)
    #expect(rights.canCapture == canCapture)
    #expect(rights.bluetoothGroupExists == group.hasPrefix("bluetooth"))
    #expect(rights.isMember == isMember)
    #expect(rights.isActiveMember == isActive)
  }

  @Test func testSystemFiles_GiveControllersAndSwitches() throws {
    let files = [
      "sys/class/rfkill/rfkill0/type": "wlan\n", "sys/class/rfkill/rfkill0/soft": "1\n",
      "sys/class/rfkill/rfkill1/type": "bluetooth\n", "sys/class/rfkill/rfkill1/name": "hci0\n",
      "sys/class/rfkill/rfkill1/soft": "1\n", "sys/class/rfkill/rfkill1/hard": "0\n",
      "sys/class/bluetooth/hci0/uevent": "", "sys/class/bluetooth/hci0:64/uevent": "", "sys/class/rtc/rtc0/name": "x",
      "etc/os-release": "NAME=x\nPRETTY_NAME=\"Raspbian 12\"\n", "proc/device-tree/model": "Raspberry Pi 5\0",
      "run/.containerenv": "",
    ]
    let facts = try withRoot(files) { root in
      var bluetooth = BluetoothFacts()
      bluetooth.adapters = [DoctorSample.adapter]
      return DoctorCollector(root: root, environment: [:], stateFolder: root + "/state/x").facts(bluetooth: bluetooth)
    }
    #expect(facts.bluetooth.controllers == ["hci0"])
    #expect(
      facts.bluetooth.switches == [RFKillSwitch(index: 1, name: "hci0", isSoftBlocked: true, isHardBlocked: false)])
    #expect(facts.bluetooth.adapters[0].isSoftBlocked)
    #expect(facts.bluetooth.program == nil && facts.bluetooth.version == nil)
    #expect(facts.clock.hasRealTimeClock)
    #expect(facts.clock.now > 1_767_225_600)
    #expect(facts.storage.state == .creatable)
    #expect(facts.storage.freeBytes ?? 0 > 0)
    #expect(facts.system.name == "Raspbian 12" && facts.system.model == "Raspberry Pi 5")
    #expect(facts.system.isContainer && !facts.system.hasSystemd)
  }

  @Test func testEmptySystem_IsSurvived() throws {
    let facts = try withRoot([:]) {
      DoctorCollector(root: $0, environment: ["container": "docker"], stateFolder: "").facts(
        bluetooth: BluetoothFacts())
    }
    #expect(facts.system.isContainer)
    #expect(!facts.clock.hasRealTimeClock)
    #expect(!DoctorReport(facts).usable)
  }

  @Test func testFolder_SaysWhatCanBeDoneInIt() throws {
    try withRoot(["file": "x"]) { root in
      #expect(StorageFacts(folder: root).state == .writable)
      #expect(StorageFacts(folder: root + "/a/b/c").state == .creatable)
      #expect(StorageFacts(folder: root + "/file").state == .notAFolder)
      #expect(StorageFacts(folder: root + "/file/a").state == .notAFolder)
      #expect(
        StorageFacts(folder: root + "/" + String(repeating: "x", count: 5000)).state == .unknown(code: ENAMETOOLONG))
      #expect(StorageFacts(folder: "/proc/self/nothing").state != .unknown(code: 0))
    }
  }

  @Test(arguments: [("5.66", 5, 66), ("5.72-1ubuntu3", 5, 72), ("6.1", 6, 1)])
  func testVersion_IsRead(text: String, major: Int, minor: Int) {
    #expect(BlueZVersion(text) == BlueZVersion(major: major, minor: minor))
  }

  @Test(arguments: ["", "5", "x.y", "5.", ".66", "99999999999999999999.1"])
  func testOtherText_IsNoVersion(text: String) {
    #expect(BlueZVersion(text) == nil)
  }

  @Test func testProgramThatIsAsked_GivesItsVersion() async throws {
    let folder = try TemporaryFolder()
    let (root, path) = (folder.url.path, folder.path("usr/libexec/bluetooth/bluetoothd"))
    try await ProgramFile.write("#!/bin/sh\necho 5.82\n", to: path, mode: "644")
    #expect(BluetoothdProgram(root: root).path == nil)
    #expect(chmod(path, 0o755) == 0)
    #expect(BluetoothdProgram(root: root) == BluetoothdProgram(path: path, version: "5.82"))
  }
}
