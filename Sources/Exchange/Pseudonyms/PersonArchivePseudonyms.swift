import Foundation
import TachogramCore

extension PersonArchive {
  /// Returns a copy in which names, addresses and dates are replaced. Labels of straps are left out.
  package func pseudonymized(by pseudonyms: Pseudonyms) -> PersonArchive {
    let shift = pseudonyms.shift(of: person)
    func moved(_ text: String) -> String {
      Timestamp.time(text).map { Timestamp.text($0.advanced(by: shift)) } ?? text
    }
    func moved(_ microseconds: Int64) -> Int64 {
      WallTime(microseconds: microseconds).advanced(by: shift).microseconds
    }
    return PersonArchive(
      person: pseudonyms.person(person),
      straps: straps.map { strap in
        let kind: BluetoothAddress.Kind = strap.addressType == "random" ? .random : .public
        let address = BluetoothAddress(text: strap.address, kind: kind) ?? .unknown
        return Strap(
          address: pseudonyms.address(address).description, addressType: "random", name: pseudonyms.strap(address),
          advertisedName: nil, label: nil, addedUs: moved(strap.addedUs))
      },
      stress: stress.map { row in
        StressRow(pseudonyms.stress(row.measurement(person: person, session: nil), shift: shift, session: nil))
      },
      baselines: baselines.map { baseline in
        Baseline(
          kind: baseline.kind, hrv: baseline.hrv, restingHeartRate: baseline.restingHeartRate, count: baseline.count,
          personal: baseline.personal, hourly: baseline.hourly, updated: moved(baseline.updated))
      },
      hours: hours?.map { hour in
        Hour(
          start: moved(hour.start), minutes: hour.minutes, meanHeartRate: hour.meanHeartRate,
          lowestHeartRate: hour.lowestHeartRate, sdnn: hour.sdnn, rmssd: hour.rmssd, stress: hour.stress,
          highestStress: hour.highestStress)
      },
      readings: readings?.map { reading in
        Reading(
          id: pseudonyms.identifier("reading", reading.id), kind: reading.kind,
          session: reading.session.map { pseudonyms.identifier("session", $0) }, start: moved(reading.start),
          startUs: moved(reading.startUs), durationUs: reading.durationUs, coverage: reading.coverage,
          artifactShare: reading.artifactShare, beats: reading.beats, meanHeartRate: reading.meanHeartRate,
          sdnn: reading.sdnn, rmssd: reading.rmssd)
      })
  }
}
