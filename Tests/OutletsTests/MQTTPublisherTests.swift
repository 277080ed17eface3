import Foundation
import HomeAssistant
import MQTT
import StressKit
import TachogramContracts
import TachogramCore
import Testing

@testable import Outlets

@Suite("Messages of the MQTT outlet")
struct MQTTPublisherTests {
  private static let start = ContinuousClock.now

  private static func at(_ seconds: Double) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

  static func options(commands: Bool = false, beats: Bool = false) throws -> MQTTOutletOptions {
    let key = try #require(OutletKey(bytes: Array(repeating: 7, count: 32)))
    var options = MQTTOutletOptions(
      broker: MQTTConfiguration(host: "localhost", clientID: "test"), station: "bedroom", stationName: "Bedroom",
      version: "1.0", key: key)
    (options.acceptsCommands, options.sendsBeats) = (commands, beats)
    return options
  }

  private static func delivery(_ reading: OutletReading, _ beats: [OutletBeat] = []) -> OutletDelivery {
    var delivery = OutletDelivery()
    (delivery.readings, delivery.beats) = ([reading], beats)
    return delivery
  }

  private static func reading(_ heartRate: Int, strap: Int = 0, isCurrent: Bool = true) -> OutletReading {
    OutletContract.reading(strap: strap, heartRate: heartRate, isCurrent: isCurrent)
  }

  @Test func testFirstReading_IsAnnounced_ThenStated_ThenOnline() throws {
    var publisher = MQTTPublisher(try Self.options())
    var reading = Self.reading(61)
    (reading.rmssd, reading.stress, reading.contact) = (41.26, OutletStress(level: 30, category: .mild), true)
    let messages = publisher.handle(Self.delivery(reading), at: Self.at(0))
    #expect(messages.map(\.isRetained) == [true, false, true])
    #expect(messages.map(\.qos) == [.atLeastOnce, .atMostOnce, .atLeastOnce])
    #expect(messages[0].topic.hasPrefix("homeassistant/device/tachogram_bedroom_"))
    #expect(messages[2].topic.hasSuffix("/status") && messages[2].payload == Array("online".utf8))
    let state = try #require(try JSONSerialization.jsonObject(with: Data(messages[1].payload)) as? [String: Any])
    #expect(state["heart_rate"] as? Int == 61 && state["rmssd"] as? Double == 41.3)
    #expect(state["stress_category"] as? String == "mild" && state["contact"] as? Bool == true)
    #expect(state["sdnn"] is NSNull && state["recording"] as? Bool == false)
    // Nothing that is sent has the address.
    for message in messages {
      let text = (message.topic + String(decoding: message.payload, as: UTF8.self)).uppercased()
      #expect(!text.contains("C8:DE:AD") && !text.contains("C8DEAD"))
    }
  }

  @Test func testState_IsSentAtMostOnceInTheInterval() throws {
    var publisher = MQTTPublisher(try Self.options())
    var states = 0
    for second in 0..<60 {
      let messages = publisher.handle(Self.delivery(Self.reading(60 + second)), at: Self.at(Double(second)))
      states += messages.count { $0.topic.hasSuffix("/state") }
    }
    #expect(states == 6)
  }

  /// Within the five seconds after which the hub says so, the strap is offline; back again, its values are sent at once.
  @Test func testStaleStrap_IsOfflineAtOnce_AndStatedAtOnceWhenItIsBack() throws {
    var publisher = MQTTPublisher(try Self.options())
    _ = publisher.handle(Self.delivery(Self.reading(60)), at: Self.at(0))
    let stale = publisher.handle(Self.delivery(Self.reading(60, isCurrent: false)), at: Self.at(4.8))
    #expect(stale.count == 1 && stale[0].payload == Array("offline".utf8) && stale[0].isRetained)
    #expect(publisher.handle(Self.delivery(Self.reading(60, isCurrent: false)), at: Self.at(5.8)).isEmpty)
    let back = publisher.handle(Self.delivery(Self.reading(62)), at: Self.at(6))
    #expect(back.map { $0.topic.split(separator: "/").last } == ["state", "status"])
  }

  @Test func testEverything_IsSaidAgain_AfterAConnection() throws {
    var publisher = MQTTPublisher(try Self.options())
    for strap in 0..<2 { _ = publisher.handle(Self.delivery(Self.reading(60, strap: strap)), at: Self.at(0)) }
    let messages = publisher.everything(at: Self.at(1))
    #expect(messages.count == 7)
    #expect(messages.last?.topic == "tachogram/bedroom/status" && messages.last?.payload == Array("online".utf8))
    #expect(Set(messages.map(\.topic)).count == 7)
    #expect(publisher.isBeginning(topic: messages[6].topic, payload: Array("offline".utf8), isRetained: false))
    #expect(!publisher.isBeginning(topic: messages[6].topic, payload: Array("offline".utf8), isRetained: true))
    #expect(publisher.ending().map(\.payload) == Array(repeating: Array("offline".utf8), count: 3))
    #expect(publisher.will == publisher.ending().last)
  }

  @Test func testRenamedStrap_IsAnnouncedAgain_WithTheSameIdentifier() throws {
    var publisher = MQTTPublisher(try Self.options())
    let first = publisher.handle(Self.delivery(Self.reading(60)), at: Self.at(0))
    var renamed = Self.reading(60)
    renamed.name = "Anna's strap"
    let second = publisher.handle(Self.delivery(renamed), at: Self.at(1))
    // With its state, which Home Assistant may not have after an announcement.
    #expect(second.count == 2 && second.first?.topic == first[0].topic && second.first?.payload != first[0].payload)
    #expect(second.last?.topic.hasSuffix("/state") == true)
  }

  /// A strap that is connected and advertises its rate as well: the end of its averages is not its end.
  @Test func testAverage_IsAnotherDevice_ThanTheConnectedStrap() throws {
    var publisher = MQTTPublisher(try Self.options())
    let connected = publisher.handle(Self.delivery(Self.reading(60)), at: Self.at(0))
    var average = Self.reading(60, strap: 1_000, isCurrent: false)
    (average.address, average.isAverage) = (Self.reading(60).address, true)
    let topics = Set(publisher.handle(Self.delivery(average), at: Self.at(1)).map(\.topic))
    var delivery = OutletDelivery()
    delivery.forgotten = [average]
    let gone = Set(publisher.handle(delivery, at: Self.at(2)).map(\.topic))
    #expect(topics.count == 2 && gone == topics && topics.isDisjoint(with: connected.map(\.topic)))
  }

  @Test func testAddressAsAName_IsNotSent() throws {
    var publisher = MQTTPublisher(try Self.options())
    let reading = OutletReading(
      strap: 0, name: "C0:FF:EE:00:00:01", time: WallTime(microseconds: 0), isCurrent: true)
    let sent = publisher.handle(Self.delivery(reading), at: Self.at(0))
    #expect(!sent.isEmpty && sent.allSatisfy { !String(decoding: $0.payload, as: UTF8.self).contains("C0:FF:EE") })
  }

  @Test func testForgottenStrap_IsRemoved() throws {
    var publisher = MQTTPublisher(try Self.options())
    let first = publisher.handle(Self.delivery(Self.reading(60)), at: Self.at(0))
    var delivery = OutletDelivery()
    delivery.forgotten = [Self.reading(60)]
    let messages = publisher.handle(delivery, at: Self.at(1))
    #expect(messages.map(\.isRetained) == [true, true, true])
    #expect(messages.last?.topic == first[0].topic && messages.last?.payload.isEmpty == true)
    #expect(publisher.everything(at: Self.at(2)).count == 1)
    // Home Assistant may have missed it.
    let again = publisher.everythingAfterBirth(at: Self.at(3)).suffix(2)
    #expect(again.allSatisfy { $0.topic == first[0].topic } && again.map(\.isRetained) == [false, true])
    #expect(again.first?.payload.isEmpty == false && again.last?.payload.isEmpty == true)
    _ = publisher.handle(Self.delivery(Self.reading(60)), at: Self.at(4))
    #expect(publisher.everythingAfterBirth(at: Self.at(5)).last?.topic == "tachogram/bedroom/status")
  }

  /// A run that was killed leaves straps online at the broker, and straps may be forgotten while no station runs.
  @Test func testStatusOfAnEarlierRun_IsCorrected() throws {
    let options = try Self.options()
    var publisher = MQTTPublisher(options)
    let known = Self.reading(60, isCurrent: false)
    _ = publisher.handle(Self.delivery(known), at: Self.at(0))
    func leftover(_ address: String, _ payload: String, isRetained: Bool = true) -> MQTTLeftover? {
      let topic = "tachogram/bedroom/\(options.key.identifier(of: address))/status"
      return publisher.leftover(topic: topic, payload: Array(payload.utf8), isRetained: isRetained)
    }
    func correction(_ leftover: MQTTLeftover?, _ expected: [String]?) throws -> [String] {
      publisher.correction(of: try #require(leftover), expected: expected).map {
        "\($0.topic.split(separator: "/").last ?? ""): \(String(decoding: $0.payload, as: UTF8.self))"
      }
    }
    let (address, other) = (try #require(known.address), "C8:DE:AD:BE:EF:77")
    // Known and silent; expected and never heard; neither.
    #expect(try correction(leftover(address, "online"), []) == ["status: offline"])
    #expect(try correction(leftover(address, "offline"), []).isEmpty)
    #expect(try correction(leftover(other, "online"), [other]) == ["status: offline"])
    #expect(try correction(leftover(other, "offline"), [other]).isEmpty)
    #expect(try correction(leftover(other, "offline"), [address]) == ["status: offline", "status: ", "config: "])
    // While the paired straps cannot be read, nothing is removed.
    #expect(try correction(leftover(other, "online"), nil) == ["status: offline"])
    // Its own messages, a strap that is received, and what is no status of a strap.
    #expect(leftover(other, "online", isRetained: false) == nil && leftover(other, "") == nil)
    _ = publisher.handle(Self.delivery(Self.reading(61)), at: Self.at(1))
    #expect(leftover(address, "online") == nil)
    for topic in ["tachogram/bedroom/status", "tachogram/attic/0011/status", "tachogram/bedroom/0011/state", "x"] {
      #expect(publisher.leftover(topic: topic, payload: Array("online".utf8), isRetained: true) == nil)
    }
  }

  @Test func testAnnouncements_AreRemovedWhenTheyAreSwitchedOff() throws {
    var options = try Self.options()
    var announced = MQTTPublisher(options)
    let announcement = announced.handle(Self.delivery(Self.reading(60)), at: Self.at(0))[0]
    options.discoveryPrefix = nil
    var publisher = MQTTPublisher(options)
    // A broker that does not let the station write there may end the connection: once, and not until it is acknowledged.
    let removal = MQTTMessage(topic: announcement.topic, payload: [], qos: .atMostOnce, isRetained: true)
    #expect(publisher.handle(Self.delivery(Self.reading(61)), at: Self.at(1))[0] == removal)
    #expect(!publisher.handle(Self.delivery(Self.reading(62)), at: Self.at(20)).contains(removal))
    #expect(!publisher.everything(at: Self.at(30)).contains { $0.topic == removal.topic })
    #expect(!publisher.handle(Self.delivery(Self.reading(63)), at: Self.at(50)).contains(removal))
    // One that is not received: expected, and removed.
    let address = "C8:DE:AD:BE:EF:77"
    let identifier = options.key.identifier(of: address)
    let status = "tachogram/bedroom/\(identifier)/status"
    let config = "homeassistant/device/tachogram_bedroom_\(identifier)/config"
    let leftover = try #require(publisher.leftover(topic: status, payload: Array("offline".utf8), isRetained: true))
    for (expected, count) in [([address], 1), ([address], 0), ([], 0), ([], 1)] {
      let sent = publisher.correction(of: leftover, expected: expected).filter { $0.topic == config }
      #expect(sent == Array(repeating: MQTTMessage(topic: config, payload: [], isRetained: true), count: count))
    }
  }

  /// Home Assistant keeps an entity that is announced no more.
  @Test(arguments: [false, true])
  func testSwitch_IsDeletedWhereThereAreNoCommands(commands: Bool) throws {
    var publisher = MQTTPublisher(try Self.options(commands: commands))
    let announcement = publisher.handle(Self.delivery(Self.reading(60)), at: Self.at(0))[0]
    let json = try JSONSerialization.jsonObject(with: Data(announcement.payload)) as? [String: Any]
    let components = try #require(json?["cmps"] as? [String: [String: Any]])
    let recording = try #require(components["recording"])
    #expect(recording["p"] as? String == "switch")
    #expect(recording.keys.contains("unique_id") == commands && (recording.count == 1) == !commands)
    #expect(components.count == StrapComponent.allCases.count)
  }

  @Test func testBeats_AreSentOnlyWhenTheyAreWanted() throws {
    let beats = OutletContract.beats(from: 5, count: 2)
    var silent = MQTTPublisher(try Self.options())
    #expect(
      !silent.handle(Self.delivery(Self.reading(60), beats), at: Self.at(0)).contains { $0.topic.hasSuffix("/beats") })
    var publisher = MQTTPublisher(try Self.options(beats: true))
    let sent = publisher.handle(Self.delivery(Self.reading(60), beats), at: Self.at(0)).filter {
      $0.topic.hasSuffix("/beats")
    }
    let values = try sent.map { try JSONSerialization.jsonObject(with: Data($0.payload)) as? [String: Any] }
    #expect(values.map { $0?["sequence"] as? Int } == [5, 6] && values.allSatisfy { $0?["rr"] as? Double == 800 })
    #expect(sent.allSatisfy { !$0.isRetained })
  }

  @Test func testCommand_IsObeyedOnlyWhenCommandsAreOn_AndNotWhenItIsOld() throws {
    var publisher = MQTTPublisher(try Self.options(commands: true))
    let announced = publisher.handle(Self.delivery(Self.reading(60)), at: Self.at(0))
    let strap = try #require(announced[2].topic.split(separator: "/").dropFirst(2).first)
    let topic = "tachogram/bedroom/\(strap)/recording/set"
    #expect(publisher.filters.contains("tachogram/bedroom/+/+/set"))
    #expect(publisher.command(topic: topic, payload: Array("stop".utf8), isRetained: false)?.isWanted == false)
    #expect(publisher.command(topic: topic, payload: Array("start".utf8), isRetained: false)?.strap == 0)
    #expect(publisher.command(topic: topic, payload: Array("stop".utf8), isRetained: true) == nil)
    #expect(publisher.command(topic: topic, payload: Array("delete".utf8), isRetained: false) == nil)
    let other = "tachogram/bedroom/ffffffffffffffff/recording/set"
    #expect(publisher.command(topic: other, payload: Array("stop".utf8), isRetained: false) == nil)
    var silent = MQTTPublisher(try Self.options())
    _ = silent.handle(Self.delivery(Self.reading(60)), at: Self.at(0))
    #expect(silent.command(topic: topic, payload: Array("stop".utf8), isRetained: false) == nil)
    #expect(silent.filters == ["tachogram/bedroom/+/status", "tachogram/bedroom/status", "homeassistant/status"])
  }

  /// The values of closed sets that Home Assistant is told are those of the station.
  @Test func testOptions_AreThoseOfTheStation() {
    #expect(StrapComponent.stressCategory.options == StressCategory.allCases.map(\.rawValue))
    #expect(StrapComponent.sleepStage.options == SleepStage.allCases.filter { $0 != .unknown }.map(\.rawValue))
  }
}
