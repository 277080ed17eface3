import Dashboard
import Outlets
import TachogramCore

extension OutletReading {
  /// Creates the reading that the page shows. `time` is when its values were received, and `label` is that of the session.
  init(_ reading: API.Reading, at time: WallTime, label: String?) {
    self.init(strap: reading.strap, name: reading.name, time: time, isCurrent: reading.isCurrent)
    isAverage = reading.isAverage ?? false
    (address, person) = (reading.address, reading.person)
    heartRate = reading.heartRate.map(Int.init)
    (rmssd, sdnn) = (reading.minute?.rmssd, reading.minute?.sdnn)
    stress = reading.stress.map { OutletStress(level: $0.level, category: $0.category) }
    battery = reading.batteryPercent.map(Int.init)
    contact = SensorContact(rawValue: reading.contact)?.isDetected
    signal = reading.signalDBm.map(Int.init)
    session = reading.session == nil ? nil : label ?? reading.start
    sleepStage = reading.sleepStage.flatMap(SleepStage.init)
  }
}
