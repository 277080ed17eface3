import Foundation
import HomeAssistant
import Testing

struct StrapStateTests {
  private func text(_ state: StrapState) -> String { String(decoding: state.payload, as: UTF8.self) }

  @Test func testAbsentValues_AreNull() {
    #expect(
      text(StrapState()) == """
        {"average":false,"battery":null,"contact":null,"heart_rate":null,"recording":null,"rmssd":null,"sdnn":null,"session":null,\
        "signal":null,"sleep_stage":null,"stress":null,"stress_category":null,"time":null}
        """)
  }

  @Test func testValues_AreNumbersBooleansAndTexts() {
    var state = StrapState()
    state.heartRate = 61
    state.rmssd = 42.25
    state.sdnn = 50
    state.stress = 33.333
    state.stressCategory = "mild"
    state.battery = 80
    state.contact = true
    state.signal = -70
    state.session = "Night \"1\""
    state.sleepStage = "rem"
    state.isRecording = false
    state.time = 1_700_000_000.5
    #expect(
      text(state) == """
        {"average":false,"battery":80,"contact":true,"heart_rate":61,"recording":false,"rmssd":42.3,"sdnn":50,"session":"Night \\"1\\"",\
        "signal":-70,"sleep_stage":"rem","stress":33.3,"stress_category":"mild","time":1700000000.5}
        """)
  }

  @Test func testValueThatHomeAssistantWouldRefuse_IsNull() {
    var state = StrapState()
    state.rmssd = .nan
    state.sdnn = .infinity
    state.time = -.infinity
    state.stressCategory = "unknown"
    state.sleepStage = "unknown"
    #expect(text(state) == text(StrapState()))
    state.session = String(repeating: "ä", count: 300)
    #expect(text(state).contains("\"\(String(repeating: "ä", count: 255))\""))
  }

  @Test func testEveryComponent_HasItsKey() {
    #expect(Set(StrapComponent.allCases.map(\.rawValue)).union(["average", "time"]) == StateKeys.all)
  }
}
