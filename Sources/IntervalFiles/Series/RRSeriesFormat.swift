/// The recognised format of a file of RR intervals. Only the content matters: a plain column of numbers is `rr-text`, whichever
/// app exported it.
package enum RRSeriesFormat: String, Hashable, Sendable, CaseIterable {
  /// Numbers alone, or time and RR: Elite HRV, HRV4Training, ECG Recorder, Polar Flow and many others export this.
  case rrText = "rr-text"
  /// A table whose headings name the column of RR intervals.
  case rrCSV = "rr-csv"
  /// A column of RR intervals, or time and RR, below a preamble that names Kubios.
  case kubiosText = "kubios-text"
  /// The results of Kubios HRV, in which a table lists time and RR interval beside spectra.
  case kubiosReport = "kubios-report"
  /// Polar Sensor Logger: `Phone timestamp` and `RR-interval [ms]`.
  case polarSensorLogger = "polar-sensor-logger"
  /// Polar's HRM files with `Interval=238`: intervals in ms in the section `[HRData]`.
  case polarHRM = "polar-hrm"
  /// Heart Rate Variability Logger: `date`, `rr`, `since start`, or `date`, `timestamp`, `rr`.
  case hrvLogger = "hrv-logger"
  /// FatMaxxer: `timestamp`, `rr`, `since_start`.
  case fatMaxxer = "fatmaxxer"
  /// Firstbeat: `RR` and `Artifact corrected RR` below a preamble; the raw column is read.
  case firstbeat
  /// Empatica's IBI.csv: the start in s since 1970 heads the times, `IBI` the intervals, both in s.
  case empaticaIBI = "empatica-ibi"
  /// What `tachogram export --format csv` writes.
  case tachogramCSV = "tachogram-csv"
  /// Flexible and Interoperable Data Transfer, as recorded by sports watches, with `hrv` messages.
  case fit
}
