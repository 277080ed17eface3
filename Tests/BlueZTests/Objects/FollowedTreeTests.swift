import DBus
import TachogramCore
import TachogramTestKit
import Testing

@testable import BlueZ

/// Answers are taken at other moments than they were given; the tree ends as the daemon's objects are.
struct FollowedTreeTests {
  private static let adapter = BlueZName.Interface.adapter
  private static let paths = (0..<4).map { "/org/bluez/hci\($0)" }

  private static func properties(_ isPowered: Bool) -> BlueZObjectTree.Properties {
    [BlueZName.Property.address: .string("00:00:00:00:00:01"), BlueZName.Property.powered: .bool(isPowered)]
  }

  /// What the daemon does next: an adapter comes, goes, or is switched.
  private static func change(_ random: inout SplitMix64, _ daemon: BlueZObjectTree) -> BlueZMessage.Change {
    let path = paths[Int(random.next() % UInt64(paths.count))]
    let isOn = random.next() % 2 == 0
    guard daemon.adapter(path) != nil else { return .added(path: path, [adapter: properties(isOn)]) }
    if random.next() % 3 == 0 { return .removed(path: path, [adapter]) }
    return .changed(
      path: path, interface: adapter, [BlueZName.Property.powered: .bool(isOn)], invalidated: [])
  }

  @Test(arguments: [UInt64](1...200))
  func testAnswerThatIsTakenLate_UndoesNothing(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var daemon = BlueZObjectTree()
    var client = FollowedTree()
    for _ in 0..<20 {
      // The question, the daemon's answer and its arrival at the client, with changes before, between and behind.
      let answered = Int(random.next() % 4)
      let taken = answered + Int(random.next() % 4)
      let question = client.ask()
      var answer = daemon
      for step in 0...taken {
        if step == answered { answer = daemon }
        if step == taken { client.answered(question) { $0 = answer } }
        let change = Self.change(&random, daemon)
        daemon.apply(change)
        client.apply(change)
      }
      #expect(client.tree.adapters == daemon.adapters)
    }
  }

  @Test func testQuestionWithoutAnAnswer_ChangesNothing() {
    var client = FollowedTree()
    let question = client.ask()
    client.apply(.added(path: Self.paths[0], [Self.adapter: Self.properties(true)]))
    client.dismiss(question)
    client.answered(question) { $0 = BlueZObjectTree() }
    #expect(client.tree.adapters.map(\.isPowered) == [true])
  }
}
