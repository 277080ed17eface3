import DBus
import FakeBlueZ
import FoundationEssentials
import TachogramCore
import TachogramTestKit
import Testing

@testable import BlueZ

/// What other programs have of BlueZ, on a fake daemon.
@Suite("Straps for other programs", .timeLimit(.minutes(5)))
struct StrapListenerTests {
  private static let strap = FakeStrap()
  private static let value: [UInt8] = [0x16, 60, 0x00, 0x04]

  private let bus: PrivateBus
  private let fake: FakeBlueZ
  private let listener: StrapListener

  init() async throws {
    bus = try await PrivateBus.start()
    fake = try await FakeBlueZ.start(on: .address(bus.address))
    listener = StrapListener(.address(bus.address), time: ScaledTimeSource(factor: 20))
  }

  @Test func testScan_FindsStrapsTheStrongestFirst() async throws {
    let other = FakeStrap(number: 2)
    for strap in [Self.strap, other] { await fake.advertise(strap) }
    await fake.setSignal(Self.strap, -80)
    await fake.setSignal(other, -40)
    let straps = try await listener.straps(within: .seconds(20))
    #expect(straps.map(\.address) == [other, Self.strap].map(\.address.description))
    #expect(straps.map(\.name) == [other.name, Self.strap.name])
    #expect(straps.allSatisfy { !$0.isConnected })
    await fake.stop()
  }

  /// Readings as they came, in order, also behind a link that ended.
  @Test(arguments: [true, false])
  func testUpdates_GoOnWhenTheLinkEnds(isNamed: Bool) async throws {
    // In real time, in which three values are not stale, however slow the machine that tests.
    let listener = StrapListener(.address(bus.address), time: ScaledTimeSource(factor: 1))
    await fake.advertise(Self.strap)
    var heard: [UInt8] = []
    var phases: [StrapUpdate.Phase] = []
    var isDropped = false
    let first = Task { [fake] in await Self.send(1...3, on: fake) }
    for await update in try listener.updates(from: isNamed ? Self.strap.address.description : nil) {
      switch update {
      case .strap(let address, _): #expect(address == Self.strap.address.description)
      case .link(let phase, _): phases.append(phase)
      case .notification(let value, let date, let sinceBoot):
        #expect(date.timeIntervalSince1970 > 0 && sinceBoot > .zero)
        heard.append(value[4])
      case .signal: break
      }
      if heard.count == 3, phases.contains(.live), !isDropped {
        isDropped = true
        await first.value
        await fake.dropLink(Self.strap)
        await fake.advertise(Self.strap)
        Task { [fake] in await Self.send(11...13, on: fake) }
      }
      if heard.count == 6 { break }
    }
    #expect(heard == [1, 2, 3, 11, 12, 13])
    #expect(phases.contains(.backingOff))
    #expect(phases.filter { $0 == .subscribing }.count >= 2)
    await fake.stop()
  }

  /// Notifies values once somebody is subscribed.
  private static func send(_ numbers: ClosedRange<UInt8>, on fake: FakeBlueZ) async {
    await fake.subscribed(strap)
    for number in numbers { await fake.notify(strap, value + [number, 0x04]) }
  }

  @Test func testTextThatIsNoAddress_IsRefused() async throws {
    #expect(throws: BluetoothError.notAnAddress("strap")) { try listener.updates(from: "strap") }
    await fake.stop()
  }

  @Test func testMissingAdapter_IsSaid() async throws {
    await fake.removeAdapter()
    let error = await #expect(throws: BluetoothError.self) { try await listener.straps(within: .seconds(1)) }
    #expect(error?.description.contains("no Bluetooth adapter") == true)
    let update = try await listener.updates().first {
      if case .link(.adapterAbsent, .adapterMissing) = $0 { true } else { false }
    }
    #expect(update != nil)
    await fake.stop()
  }

  @Test func testMissingBus_IsSaid() async throws {
    let error = await #expect(throws: BluetoothError.self) {
      try await StrapListener(busAddress: "unix:path=/nonexistent/bus").check()
    }
    #expect(error?.description.contains("/nonexistent/bus") == true)
    await fake.stop()
  }

  /// Each phase and each reason within the package has its public name.
  @Test func testNames_AreThoseWithinThePackage() async throws {
    #expect(LinkPhase.allCases.compactMap(StrapUpdate.Phase.init).count == StrapUpdate.Phase.allCases.count)
    #expect(LinkPhase.allCases.count == StrapUpdate.Phase.allCases.count)
    #expect(LinkReason.allCases.compactMap(StrapUpdate.Problem.init).count == StrapUpdate.Problem.allCases.count)
    #expect(LinkReason.allCases.count == StrapUpdate.Problem.allCases.count)
    await fake.stop()
  }
}
