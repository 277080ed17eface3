import NIOCore
import Testing

@testable import HTTPServer

@Suite("Connection table")
struct ConnectionTableTests {
  private static func network(_ address: String) throws -> ClientNetwork {
    ClientNetwork(try SocketAddress(ipAddress: address, port: 1))
  }

  /// The connection that was closed for a new one, and the new one.
  private static func replacement(_ admission: ConnectionTable.Admission) throws -> (number: Int, closed: Int) {
    guard case .replaces(let number, let closed) = admission else { throw NotReplaced(admission: admission) }
    return (number, closed)
  }

  private struct NotReplaced: Error {
    let admission: ConnectionTable.Admission
  }

  private static func table(total: Int = 16, network: Int = 4) -> ConnectionTable {
    ConnectionTable(limits: ConnectionLimits(total: total, network: network))
  }

  @Test func testNetworks_AreAddressesOrPrefixes() throws {
    let same = [
      ("127.0.0.1", "127.9.9.9", "127.0.0.1"), ("127.0.0.1", "::1", "127.0.0.1"),
      ("10.0.0.1", "::ffff:10.0.0.1", "10.0.0.1"), ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:1::/64"),
    ]
    for (one, other, text) in same {
      #expect(try Self.network(one) == Self.network(other))
      #expect(try Self.network(one).description == text)
    }
    #expect(try Self.network("10.0.0.1") != Self.network("10.0.0.2"))
    #expect(try Self.network("2001:db8:0:1::1") != Self.network("2001:db8:0:2::1"))
    #expect(try Self.network("::1") != Self.network("::2"))
    for (address, isLoopback) in [
      ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", false),
      ("::2", false), ("fe80::1", false),
    ] {
      #expect(try Self.network(address).isLoopback == isLoopback, "\(address)")
    }
    #expect(ClientNetwork(nil).description.isEmpty)
  }

  @Test func testNetworkThatIsFull_LosesItsOldestThatWaits() throws {
    var table = Self.table()
    let one = try Self.network("10.0.0.1")
    for number in 1...4 { #expect(table.admit(one) == .admitted(number * 2 - 1)) }
    table.change(1, to: .answering)
    #expect(table.admit(one) == .replaces(10, closed: 3))
    // One that waits again is the youngest.
    table.change(1, to: .reading)
    #expect(table.admit(one) == .replaces(13, closed: 5))
    #expect(table.admit(one) == .replaces(15, closed: 7))
    #expect(table.admit(one) == .replaces(17, closed: 10))
    #expect(table.admit(one) == .replaces(19, closed: 1))
    #expect(table.count == 4)
  }

  @Test func testNetworkWhoseRequestsAreAllAnswered_GetsNoMore() throws {
    var table = Self.table()
    let (one, other) = (try Self.network("10.0.0.1"), try Self.network("10.0.0.2"))
    var numbers: [Int] = []
    while case .admitted(let number) = table.admit(one) {
      table.change(number, to: .answering)
      numbers.append(number)
    }
    #expect(numbers.count == 4)
    #expect(table.admit(one) == .refused)
    #expect(table.admit(other) != .refused)
    // Whoever takes no answer goes before others are sent away, but after those that only wait.
    table.change(numbers[2], to: .stalled)
    table.change(numbers[3], to: .stalled)
    table.change(numbers[0], to: .reading)
    for closed in [numbers[0], numbers[2], numbers[3]] {
      let replacement = try Self.replacement(table.admit(one))
      #expect(replacement.closed == closed)
      table.change(replacement.number, to: .answering)
    }
    #expect(table.admit(one) == .refused)
  }

  @Test func testServerThatIsFull_TakesFromWhoHasMost() throws {
    var table = Self.table(total: 8, network: 3)
    let networks = try (1...4).map { try Self.network("10.0.0.\($0)") }
    // Three, two, two and one.
    for index in [0, 0, 0, 1, 1, 2, 2, 3] { _ = table.admit(networks[index]) }
    let newcomer = try Self.network("10.0.0.9")
    let replacement = try Self.replacement(table.admit(newcomer))
    #expect(replacement.closed == 1)
    table.remove(replacement.number)
    #expect(table.count == 7)
    #expect(table.count(of: networks[0]) == 2)
  }

  @Test func testServerThatIsFullOfAnswers_TakesWhatWaitsAnywhere() throws {
    var table = Self.table(total: 4, network: 3)
    let networks = try (1...3).map { try Self.network("10.0.0.\($0)") }
    for _ in 0..<3 {
      if case .admitted(let number) = table.admit(networks[0]) { table.change(number, to: .answering) }
    }
    #expect(table.admit(networks[1]) == .admitted(10))
    let replacement = try Self.replacement(table.admit(networks[2]))
    #expect(replacement.closed == 10)
    table.change(replacement.number, to: .answering)
    #expect(table.admit(networks[1]) == .refused)
  }

  /// A connection of the same machine that sends its request at once, while another client holds thousands open.
  @Test func testFloodOfHalfRequests_LeavesRoomForWholeOnes() throws {
    var table = ConnectionTable(limits: ConnectionLimits(isSecure: false))
    let network = try Self.network("127.0.0.1")
    for _ in 0..<table.limits.loopback { #expect(table.admit(network) != .refused) }
    for round in 0..<20_000 {
      let replacement = try Self.replacement(table.admit(network))
      guard round % 100 == 0 else { continue }
      table.change(replacement.number, to: .answering)
      table.change(replacement.number, to: .reading)
      table.remove(replacement.number)
      _ = table.admit(network)
    }
    #expect(table.count == table.limits.loopback)
    #expect(table.limits.loopback < table.limits.total)
    let other = try Self.network("10.0.0.1")
    for _ in 0..<table.limits.network {
      guard case .admitted = table.admit(other) else { throw NotReplaced(admission: .refused) }
    }
  }

  @Test func testConnectionOfManyRequests_FillsNoMemory() throws {
    var queue = ConnectionQueue()
    for since in 0..<10_000 { queue.append(.init(number: 1, since: since), count: 1) { $0.since == since } }
    #expect(queue.first { $0.since == 9999 } == .init(number: 1, since: 9999))
    #expect(queue.count <= 65)
  }
}
