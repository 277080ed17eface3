import BlueZ
import DBus
import FakeBlueZ
import TachogramCore
import TachogramTestKit
import Testing

/// The daemon's list of its objects is asked for until it is there.
@Suite("Listing the daemon's objects", .serialized, .timeLimit(.minutes(5)))
struct ListingTests {
  private static let listing: Duration = .milliseconds(100)

  /// Returns when the client's tree fulfils the condition.
  private func wait(_ client: BlueZClient, _ condition: (BlueZObjectTree) -> Bool) async {
    for await _ in client.changes() where client.read(condition) { return }
    Issue.record("the client has closed")
  }

  @Test(arguments: [true, false])
  func testDaemonThatDoesNotListItsObjects_IsAskedAgain(isStalled: Bool) async throws {
    let bus = try await PrivateBus.start()
    let fake = try await FakeBlueZ.start(on: .address(bus.address))
    if isStalled {
      await fake.stall("GetManagedObjects", times: 2)
    } else {
      await fake.refuse("GetManagedObjects", .failed("Not ready"), times: 2)
    }
    let client = try await BlueZClient.open(.address(bus.address), listing: Self.listing)
    #expect(client.hasDaemon)
    #expect(client.read { $0.adapters.isEmpty })
    await wait(client) { !$0.adapters.isEmpty }
    // The two that came to nothing, and one that did; more on a machine that is busy for longer than the deadline.
    #expect(await fake.calls(of: "GetManagedObjects") >= 3)
    client.close()
    await fake.stop()
  }

  /// The end of a daemon that does not answer is seen all the same, and so is the next one.
  @Test
  func testDaemonThatIsReplacedWhileItDoesNotAnswer_IsForgotten() async throws {
    let bus = try await PrivateBus.start()
    let fake = try await FakeBlueZ.start(on: .address(bus.address))
    await fake.stall("GetManagedObjects")
    let client = try await BlueZClient.open(.address(bus.address), listing: Self.listing)
    await fake.stall("GetManagedObjects")
    try await fake.restartDaemon()
    await wait(client) { !$0.adapters.isEmpty }
    #expect(client.generation == 1)
    client.close()
    await fake.stop()
  }
}
