import Foundation
import MosquittoTestKit
import Testing

@Suite(.timeLimit(.minutes(15)))
struct MosquittoSubscriberTests {
  /// A program that stays would hold whoever waits for the end of the tests' output.
  @Test func testReleasedSubscriber_LeavesNoProgram_EvenWithoutItsBroker() async throws {
    let broker = try await MosquittoBroker.start()
    let port = "\(broker.port)"
    do {
      let subscriber = try await MosquittoSubscriber(broker, topic: "#")
      #expect(Self.programs("mosquitto_sub", port) == 1)
      try await broker.crash()
      withExtendedLifetime(subscriber) {}
    }
    #expect(await Eventually.holds { Self.programs("mosquitto_sub", port) == 0 })
  }

  /// Returns how many programs of this name have `argument` among their arguments.
  private static func programs(_ name: String, _ argument: String) -> Int {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return folders.filter { folder in
      guard let line = FileManager.default.contents(atPath: "/proc/\(folder)/cmdline") else { return false }
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return words.first?.hasSuffix(name) == true && words.contains(argument)
    }.count
  }
}
