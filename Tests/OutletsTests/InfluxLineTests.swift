import TachogramContracts
import TachogramCore
import Testing

@testable import Outlets

@Suite("Influx line protocol")
struct InfluxLineTests {
  @Test func testBeat_HasItsNumberInTheTime() {
    let beat = OutletContract.beats(from: 1_234, count: 1)[0]
    #expect(
      InfluxLine(beat, strap: "0123456789abcdef", name: "Polar H10").text
        == "tachogram_beat,name=Polar\\ H10,strap=0123456789abcdef "
        + "rr=800.0,sequence=1234i,marked=false,follows_gap=false 1774743387200000234\n")
  }

  /// Two beats with one time are two points.
  @Test func testBeatsOfOneTime_AreTwoPoints() {
    var beats = OutletContract.beats(from: 7, count: 2)
    beats[1].time = beats[0].time
    let times = beats.map { InfluxLine($0, strap: "a", name: "b").text.split(separator: " ").last }
    #expect(times[0] != times[1])
  }

  @Test func testReading_HasTheFieldsThatItHas() throws {
    var reading = OutletContract.reading(heartRate: 61)
    (reading.rmssd, reading.sdnn, reading.contact) = (41.5, .nan, true)
    let line = try #require(InfluxLine(reading, strap: "a"))
    #expect(
      line.text == "tachogram_reading,name=Polar\\ H10,strap=a heart_rate=61i,rmssd=41.5,contact=true "
        + "1774742400000061000\n")
    reading.heartRate = nil
    (reading.rmssd, reading.contact) = (nil, nil)
    #expect(InfluxLine(reading, strap: "a") == nil)
  }

  /// A name from the radio cannot begin another line, tag or field.
  @Test(arguments: [
    ("a,b=c d", "a\\,b\\=c\\ d"), ("x\ny", "x\\ y"), ("", "unnamed"), ("end\\", "end/"), ("\u{2028}", "\\ "),
    ("Zoé", "Zoé"),
  ])
  func testName_IsEscaped(name: String, escaped: String) {
    let beat = OutletContract.beats(from: 0, count: 1)[0]
    #expect(InfluxLine(beat, strap: "a", name: name).text.hasPrefix("tachogram_beat,name=\(escaped),strap=a rr="))
  }

  @Test func testBacklog_IsBounded_AndKeepsTheLast() throws {
    let key = try #require(OutletKey(bytes: Array(repeating: 7, count: 32)))
    var backlog = InfluxBacklog(key: key)
    for place in 0..<60 {
      var delivery = OutletDelivery()
      delivery.readings = [OutletContract.reading(heartRate: 60)]
      delivery.beats = OutletContract.beats(from: Int64(place) * 1_000, count: 1_000)
      backlog.add(delivery)
    }
    #expect(backlog.dropped >= 38_000 && backlog.dropped <= 40_000)
    let batch = backlog.batch()
    let dropped = backlog.dropped
    #expect(batch.count == InfluxBacklog.mostInBatch)
    // While the batch was written, more arrived, and some of it was dropped.
    var delivery = OutletDelivery()
    delivery.beats = OutletContract.beats(from: 60_000, count: 3_000)
    backlog.add(delivery)
    backlog.remove(batch.count, droppedBefore: dropped)
    let next = backlog.batch()
    #expect(next.first != batch.first && Set(next).isDisjoint(with: batch))
  }
}
