import Foundation
import HomeAssistant
import MQTT
import MosquittoTestKit
import Testing

@Suite(.timeLimit(.minutes(15)))
struct HomeAssistantDeviceTests {
  private func device(
    station: String = "living-room", strap: String = "3f9a", name: String = "Polar H10 of Zoë \"Z\" \\ 💓",
    components: Set<StrapComponent> = Set(StrapComponent.allCases)
  ) -> HomeAssistantDevice {
    HomeAssistantDevice(
      topics: MQTTTopics(station: station), stationName: "Living room", strap: strap, name: name,
      softwareVersion: "1.2.3",
      components: components)
  }

  private func json(_ payload: [UInt8]) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
  }

  @Test(arguments: StrapComponent.allCases)
  func testEveryComponent_ObeysTheRulesAloneAndWithTheOthers(_ component: StrapComponent) {
    for components in [
      [component], Set(StrapComponent.allCases), Set(StrapComponent.allCases).subtracting([component]),
    ] {
      let message = device(components: components).announcement()
      let rules = HomeAssistantRules(topic: message.topic, payload: message.payload, stateKeys: StateKeys.all)
      #expect(rules.violations.isEmpty)
    }
  }

  @Test(arguments: [
    "living-room", "", "a/b", "Küche", "#", "+", "x y", String(repeating: "s", count: 500), "\u{0}", "~",
  ])
  func testNames_AreSafeInTopicsAndIdentifiers(name: String) {
    let device = device(station: name, strap: name)
    let message = device.announcement()
    let rules = HomeAssistantRules(topic: message.topic, payload: message.payload, stateKeys: StateKeys.all)
    #expect(rules.violations.isEmpty)
    for topic in [
      device.topics.stationStatus, device.topics.status(strap: name), device.topics.beats(strap: name), message.topic,
    ] {
      #expect(MQTTTopicRules.isTopic(topic))
    }
    #expect(TopicName.isSafe(TopicName.make(name)))
    #expect(TopicName.make(TopicName.make(name)) == TopicName.make(name))
  }

  @Test func testDifferentNames_StayDifferent() {
    let names = [
      "a b", "a_b", "a.b", "ä", "ö", "", " ", String(repeating: "a", count: 65), String(repeating: "a", count: 66),
    ]
    #expect(Set(names.map(TopicName.make)).count == names.count)
    #expect(TopicName.make("H10-3f_A") == "H10-3f_A")
  }

  @Test func testAnnouncement_HasTheAgreedForm() throws {
    let message = device(components: [.heartRate, .stressCategory]).announcement()
    #expect(message.topic == "homeassistant/device/tachogram_living-room_3f9a/config")
    let expected = """
      {"availability":[{"payload_available":"online","payload_not_available":"offline",\
      "topic":"tachogram/living-room/status"},{"payload_available":"online","payload_not_available":"offline",\
      "topic":"tachogram/living-room/3f9a/status"}],"availability_mode":"all","cmps":{"heart_rate":{"expire_after":30,\
      "icon":"mdi:heart-pulse","name":"Heart rate","p":"sensor","state_class":"measurement",\
      "suggested_display_precision":0,"unique_id":"tachogram_living-room_3f9a_heart_rate","unit_of_measurement":"bpm",\
      "value_template":"{{ value_json.heart_rate }}"},"stress_category":{"device_class":"enum","expire_after":30,\
      "icon":"mdi:emoticon-neutral-outline","name":"Stress category","options":["relaxed","mild","moderate","high"],\
      "p":"sensor","unique_id":"tachogram_living-room_3f9a_stress_category",\
      "value_template":"{{ value_json.stress_category }}"}},"dev":{"ids":["tachogram_living-room_3f9a"],\
      "mdl":"Received by Living room","name":"Polar H10 of Zoë \\"Z\\" \\\\ 💓","sw":"1.2.3"},\
      "o":{"name":"Tachogram","sw":"1.2.3"},"state_topic":"tachogram/living-room/3f9a/state"}
      """
    #expect(String(decoding: message.payload, as: UTF8.self) == expected)
  }

  @Test func testCommands_ExistOnlyWhenEnabled() throws {
    let silent = device(components: StrapComponent.readOnly).announcement()
    #expect(!String(decoding: silent.payload, as: UTF8.self).contains("command_topic"))
    let components = try #require(json(device().announcement().payload)["cmps"] as? [String: [String: Any]])
    let command = try #require(components["recording"]?["command_topic"] as? String)
    #expect(command == "tachogram/living-room/3f9a/recording/set")
    let topics = MQTTTopics(station: "living-room")
    #expect(topics.commands == "tachogram/living-room/+/+/set")
    #expect(topics.parseCommand(command)?.strap == "3f9a")
    #expect(topics.parseCommand(command)?.component == .recording)
    #expect(RecordingCommand(payload: Array((components["recording"]?["payload_on"] as? String ?? "").utf8)) == .start)
    #expect(RecordingCommand(payload: Array((components["recording"]?["payload_off"] as? String ?? "").utf8)) == .stop)
  }

  @Test(arguments: [
    "tachogram/other/3f9a/recording/set", "tachogram/living-room/3f9a/heart_rate/set", "tachogram/living-room/3f9a/set",
    "tachogram/living-room//recording/set", "tachogram/living-room/3f9a/recording/set/", "",
    "x/living-room/3f9a/recording/set",
    "tachogram/living-room/ä/recording/set",
  ])
  func testOtherTopic_IsNoCommand(topic: String) {
    #expect(MQTTTopics(station: "living-room").parseCommand(topic) == nil)
  }

  @Test(arguments: ["", "START", "start ", "on", String(repeating: "x", count: 1000), "\u{FFFD}"])
  func testOtherPayload_IsNoCommand(text: String) { #expect(RecordingCommand(payload: Array(text.utf8)) == nil) }

  @Test func testRemovedComponents_AreNamedOnce() throws {
    let message = device(components: [.heartRate]).announcement(removing: [.recording, .contact, .heartRate])
    let components = try #require(json(message.payload)["cmps"] as? [String: [String: Any]])
    #expect(components["recording"] as? [String: String] == ["p": "switch"])
    #expect(components["contact"] as? [String: String] == ["p": "binary_sensor"])
    #expect(components["heart_rate"]?.count ?? 0 > 1)
    let rules = HomeAssistantRules(topic: message.topic, payload: message.payload, stateKeys: StateKeys.all)
    #expect(rules.violations.isEmpty)
  }

  @Test func testRemoval_IsAnEmptyMessageOnTheSameTopic() {
    #expect(device().removal.topic == device().announcement().topic)
    #expect(device().removal.payload.isEmpty)
  }

  @Test func testBirth_IsRecognised() {
    #expect(HomeAssistantBirth.isBirth(topic: "homeassistant/status", payload: Array("online".utf8)))
    #expect(!HomeAssistantBirth.isBirth(topic: "homeassistant/status", payload: Array("offline".utf8)))
    #expect(!HomeAssistantBirth.isBirth(topic: "ha/status", payload: Array("online".utf8)))
    #expect(HomeAssistantBirth.isBirth(topic: "ha/status", payload: Array("online".utf8), prefix: "ha"))
  }

  @Test func testAnnouncement_IsKeptByARealBroker() async throws {
    let broker = try await MosquittoBroker.start()
    let client = try MQTTClient(MQTTConfiguration(host: "127.0.0.1", port: broker.port, clientID: "station"))
    let message = device().announcement()
    client.publish(MQTTMessage(topic: message.topic, payload: message.payload, qos: .atLeastOnce, isRetained: true))
    #expect(await Eventually.holds { client.counters.published == 1 })
    let subscriber = try await MosquittoSubscriber(broker, topic: "homeassistant/device/+/config")
    let kept = try #require(await subscriber.next())
    #expect(kept.isRetained)
    #expect(kept.payload == message.payload)
    await client.close()
  }
}
