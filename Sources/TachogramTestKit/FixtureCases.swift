import Foundation
import TachogramCore

/// The inputs that the project makes itself, with its own encoder and writer.
package enum FixtureCases {
  package static let all = simulated + CaptureFixtureCases.all

  /// Captures of simulated straps.
  private static let simulated: [FixtureCase] = [
    FixtureCase(
      "rest", "Six minutes of rest at about 62 bpm with breathing in the RR intervals; every metric has a value.",
    ) {
      CaptureBuilder.capture([(CaptureBuilder.strap(), CaptureBuilder.entries(SimulatedStrap().notifications()))])
    },
    FixtureCase("exercise", "Ten minutes of exercise: the rate climbs from 90 to 175 bpm and variability falls.") {
      var strap = SimulatedStrap()
      strap.duration = 600
      strap.heartRate = { 90 + 85 * min(1, $0 / 480) }
      (strap.breathing, strap.slowWave, strap.noise, strap.seed) = (8, 4, 6, 2)
      return CaptureBuilder.capture([(CaptureBuilder.strap(), CaptureBuilder.entries(strap.notifications()))])
    },
    FixtureCase(
      "lost-notifications",
      "Notifications 100, 200, 201 and 202 never arrived: two gaps, and nothing computed across them.",
    ) {
      edited { $0.enumerated().filter { ![99, 199, 200, 201].contains($0.offset) }.map(\.element) }
    },
    FixtureCase(
      "late-notifications",
      "Twice, notifications came up to 4 s late in a burst; nothing was lost, so there is no gap.",
    ) {
      edited { notifications in
        var late = notifications
        for (first, last) in [(120, 123), (240, 243)] {
          for index in first...last { late[index].arrival = notifications[last].arrival + Int64(index - first) * 2000 }
        }
        return late
      }
    },
    FixtureCase(
      "contact-loss", "The strap lost skin contact for a minute: its beats are marked and lower the confidence.",
    ) {
      var strap = SimulatedStrap()
      strap.contact = { (150..<210).contains($0) ? .notDetected : .detected }
      return CaptureBuilder.capture([(CaptureBuilder.strap(), CaptureBuilder.entries(strap.notifications()))])
    },
    FixtureCase(
      "equal-beats", "Every beat is exactly 1024 ticks and every notification equals the next: all of them count.",
    ) {
      var strap = SimulatedStrap()
      (strap.breathing, strap.slowWave, strap.noise) = (0, 0, 0)
      strap.heartRate = { _ in 60 }
      return CaptureBuilder.capture([(CaptureBuilder.strap(), CaptureBuilder.entries(strap.notifications()))])
    },
    FixtureCase("wide-rate", "The heart rate is sent in 16 bits; RR intervals begin one byte later.") {
      var strap = SimulatedStrap()
      strap.wideRate = true
      return CaptureBuilder.capture([(CaptureBuilder.strap(), CaptureBuilder.entries(strap.notifications()))])
    },
    FixtureCase("energy", "Energy expended is sent every tenth second and grows to 36 kJ.") {
      var strap = SimulatedStrap()
      strap.energy = { $0 % 10 == 0 ? UInt16($0 / 10) : nil }
      return CaptureBuilder.capture([(CaptureBuilder.strap(), CaptureBuilder.entries(strap.notifications()))])
    },
    FixtureCase("two-straps", "Two straps at once in one capture, kept apart by their connections.") {
      var second = SimulatedStrap()
      second.heartRate = { _ in 85 }
      (second.seed, second.duration) = (7, 300)
      return CaptureBuilder.capture([
        (CaptureBuilder.strap(1, name: "Strap A"), CaptureBuilder.entries(SimulatedStrap().notifications())),
        (CaptureBuilder.strap(2, name: "Strap B"), CaptureBuilder.entries(second.notifications())),
      ])
    },
    FixtureCase("two-links", "The link dropped after two minutes and came back 30 s later: one session, one gap.") {
      twoLinks()
    },
    FixtureCase(
      "heard-twice",
      "Every notification of the third minute was captured twice: the second copies claim time that did not pass.",
    ) {
      edited { notifications in
        notifications.enumerated().flatMap { index, notification in
          (120..<180).contains(index) ? [notification, notification] : [notification]
        }
      }
    },
    FixtureCase(
      "malformed", "One notification in fifty is cut within an RR interval: counted, kept raw, and never read wrongly.",
    ) {
      edited { notifications in
        notifications.enumerated().map { index, notification in
          var damaged = notification
          if index % 50 == 49, notification.value.count > 3 { damaged.value.removeLast() }
          return damaged
        }
      }
    },
    FixtureCase("cut-file", "The capture ends within a record; everything before is used.") {
      Array(rest().dropLast(17))
    },
    FixtureCase("damaged-middle", "Three hundred bytes in the middle are overwritten; reading goes on behind them.") {
      var file = rest()
      var random = SplitMix64(seed: 9)
      let start = file.count / 2
      for index in start..<(start + 300) { file[index] = UInt8(truncatingIfNeeded: random.next()) }
      return file
    },
    FixtureCase(
      "no-discovery",
      "The capture has the subscription but no discovery: the handle is inferred, and the report says so.",
    ) {
      BtsnoopRecords.join(
        BtsnoopRecords.split(rest()).filter { record in
          BtsnoopRecords.attributeOpcode(record).map { [0x12, 0x13, 0x1B].contains($0) } ?? true
        })
    },
    FixtureCase("no-heart-rate", "The strap was found and subscribed to, but it never notified: exit code 3.") {
      BtsnoopRecords.join(BtsnoopRecords.split(rest()).filter { BtsnoopRecords.attributeOpcode($0) != 0x1B })
    },
  ]

  private static func rest() -> [UInt8] {
    edited { $0 }
  }

  private static func edited(
    _ edit: ([SimulatedStrap.Notification]) -> [SimulatedStrap.Notification]
  ) -> [UInt8] {
    let notifications = edit(SimulatedStrap().notifications())
    return CaptureBuilder.capture([(CaptureBuilder.strap(), CaptureBuilder.entries(notifications))])
  }

  private static func twoLinks() -> [UInt8] {
    let notifications = SimulatedStrap().notifications()
    var entries = CaptureBuilder.entries(Array(notifications.prefix(120)))
    entries.append(
      CaptureBuilder.linkDown(sequence: 120, arrival: notifications[119].arrival + 700_000, link: 0))
    for (offset, notification) in notifications[150...].enumerated() {
      entries.append(
        CaptureBuilder.entry(
          notification.value, sequence: Int64(121 + offset), arrival: notification.arrival, link: 1))
    }
    return CaptureBuilder.capture([(CaptureBuilder.strap(), entries)])
  }
}
