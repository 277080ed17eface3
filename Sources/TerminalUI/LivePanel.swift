import Presentation
import StressKit
import TachogramCore

/// The part of the screen for one strap.
///
/// The height decides its contents: 1 heart rate, link and name in one line; 2 name above heart rate; then one more line each
/// for the link, contact with battery and signal, stress, RMSSD, SDNN, the trace, the counters. From 11 lines on the heart rate
/// is drawn large, and the remaining lines show the trace, up to eight; from 12 lines on the spectrum and the order of the
/// beats have a line after SDNN. The width selects shorter wordings of each line, of which the shortest is cut off at the edge.
struct LivePanel {
  private static let tallestTrace = 8
  /// The height from which on there is a line for the spectrum and the order of the beats.
  private static let heightForDetail = 12

  let reading: LiveReading
  let style: TerminalStyle
  private var words: LiveWording { LiveWording(unicode: style.unicode) }

  init(_ reading: LiveReading, style: TerminalStyle) {
    self.reading = reading
    self.style = style
  }

  /// Returns at most `height` lines, none wider than `width`.
  func lines(width: Int, height: Int) -> [StyledText] {
    guard width > 0, height > 0 else { return [] }
    if height == 1 { return [single(width)] }
    var lines = [header(width)]
    let number = bigNumber(width: width, height: height)
    lines += number.isEmpty ? [rate(width)] : number
    var others: [(Int) -> StyledText] = [
      { self.words.link(self.reading.link).clipped(to: $0) }, vitals, stress, { self.metric(.rmssd, width: $0) },
      { self.metric(.sdnn, width: $0) },
    ]
    if height >= Self.heightForDetail, let detail = reading.detail { others.append { self.detail(detail, width: $0) } }
    lines += others.prefix(max(0, height - lines.count)).map { $0(width) }
    let hasCounters = height - lines.count >= 2
    let traceHeight = min(Self.tallestTrace, height - lines.count - (hasCounters ? 1 : 0))
    if traceHeight > 0 { lines += trace(width: width, height: traceHeight) }
    if hasCounters { lines.append(counters(width)) }
    return lines.map { $0.clipped(to: width) }
  }

  /// Returns the first wording that fits, or the last one, cut off.
  private func first(of wordings: [StyledText], fitting width: Int) -> StyledText {
    (wordings.first { $0.width <= width } ?? wordings.last ?? StyledText()).clipped(to: width)
  }

  // MARK: - Heart rate, name and link

  /// Returns everything in one line, the most important first, so that the edge cuts off the least important.
  private func single(_ width: Int) -> StyledText {
    let stress = reading.stress.map { $0.category.displayName.lowercased() }
    let link = words.link(reading.link)
    let name = StyledText(words.strap(reading))
    var long = rateText() + "  " + name + "  " + link
    if let stress { long.append("  stress \(stress)", reading.isStale ? .faint : .plain) }
    return first(
      of: [
        long, rateText() + "  " + name + "  " + link,
        rateText() + " " + words.linkSign(reading.link.phase) + " " + name,
      ],
      fitting: width)
  }

  private func header(_ width: Int) -> StyledText {
    let name = StyledText(words.strap(reading), .strong)
    let elapsed = LiveWording.elapsed(reading.elapsed)
    let room = width - elapsed.count - 1
    guard room >= min(name.width, 12) else { return name.clipped(to: width) }
    return name.fitted(to: room) + " " + StyledText(elapsed, .faint)
  }

  private func rateText() -> StyledText {
    let value = reading.shownHeartRate.map(String.init) ?? "--"
    if let stale = LiveWording.staleness(reading) {
      return StyledText(stale, .bad) + "  " + StyledText("\(value) bpm", .faint)
    }
    return StyledText("\(style.unicode ? "♥ " : "")\(value) bpm", reading.isCurrent ? .strong : .faint)
  }

  private func rate(_ width: Int) -> StyledText {
    rateText().clipped(to: width)
  }

  /// Returns the heart rate in large digits, or nothing if they do not fit.
  private func bigNumber(width: Int, height: Int) -> [StyledText] {
    let number = BigNumber(reading.shownHeartRate.map(String.init) ?? "--")
    let stale = LiveWording.staleness(reading)
    let beside = StyledText("  bpm", .plain)
    let note = stale.map { StyledText("  \($0)", .bad) } ?? StyledText()
    for (size, needed) in [(BigNumber.Size.large, 16), (.small, 11)] {
      if size == .small, !style.unicode { continue }
      let rows = number.rows(size, unicode: style.unicode, isStale: reading.isStale)
      let digits = rows.first.map { DisplayWidth.columns($0) } ?? 0
      guard height >= needed, digits + max(beside.width, note.width) <= width else { continue }
      let look: TextStyle = reading.isCurrent ? .strong : .faint
      return rows.enumerated().map { index, row in
        StyledText(row, look) + (index == 0 ? note : index == rows.count - 1 ? beside : StyledText())
      }
    }
    return []
  }

  private func vitals(_ width: Int) -> StyledText {
    let contact = words.contact(reading.contact)
    let battery = words.battery(reading.battery)
    let signal = words.signal(reading.signal)
    let short = StyledText(reading.battery.map { $0 <= 20 ? "bat \($0)% low" : "bat \($0)%" } ?? "bat ?")
    return first(
      of: [
        contact + "   " + battery + "   " + signal, contact + " " + short + " " + signal, contact + " " + short,
        contact,
      ], fitting: width)
  }

  // MARK: - HRV and stress

  /// The style and prefix of derived values, which mark old ones.
  private var derived: (look: TextStyle, prefix: String) { reading.isStale ? (.faint, "stale ") : (.plain, "") }

  private func metric(_ metric: HRVMetric, width: Int) -> StyledText {
    let name = derived.prefix + (metric == .rmssd ? "RMSSD" : "SDNN ")
    let minute = value(metric, of: reading.minute)
    let five = value(metric, of: reading.fiveMinutes)
    return first(
      of: [
        StyledText("\(name)  60 s \(minute.long)   300 s \(five.long)", derived.look),
        StyledText("\(name)  60 s \(minute.middle)  300 s \(five.middle)", derived.look),
        StyledText("\(name) 60/300 s \(minute.short) / \(five.short)", derived.look),
        StyledText("\(name) 60 s \(minute.short)", derived.look),
      ], fitting: width)
  }

  private func value(_ metric: HRVMetric, of window: HRVWindow?) -> (long: String, middle: String, short: String) {
    guard let window else { return ("none yet", "none yet", "none") }
    if let value = window.metrics[metric] {
      let text = LiveWording.number(value) + " ms"
      let span = window.metrics.duration / 1000
      guard span < 0.8 * Double(window.length.seconds) else { return (text, text, text) }
      return ("\(text) (of \(LiveWording.seconds(span)) s)", "\(text) (\(LiveWording.seconds(span)) s)", text)
    }
    guard let reason = window.metrics.reason(for: metric) else { return ("none", "none", "none") }
    let middle =
      switch reason {
      case .tooShort(let seconds, let minimum): "none (\(LiveWording.seconds(seconds)) of \(Int(minimum)) s)"
      case .noIntervals: "none (no RR)"
      case .tooManyArtifacts: "none (artifacts)"
      case .irregularRhythm: "none (irregular)"
      case .repeatedIntervals: "none (repeated)"
      default: "none"
      }
    return ("none: \(Wording.text(reason))", middle, "none")
  }

  /// Returns the spectrum and the order of the beats of the last five minutes.
  private func detail(_ metrics: HRVMetrics, width: Int) -> StyledText {
    func value(_ metric: HRVMetric, _ unit: String = "") -> String {
      metrics[metric].map { Wording.rounded($0, digits: metric == .dfaAlpha1 ? 2 : 1) + unit } ?? "none"
    }
    let ratio = "LF/HF \(value(.lfhf))"
    let alpha = "DFA \(style.unicode ? "α1" : "a1") \(value(.dfaAlpha1))"
    let breaths = "breaths \(value(.respirationRate, "/min"))"
    let look = derived.look
    return first(
      of: [
        StyledText("\(derived.prefix)\(ratio)   \(alpha)   \(breaths)   300 s", look),
        StyledText("\(derived.prefix)\(ratio)  \(alpha)  \(breaths)", look),
        StyledText("\(derived.prefix)\(ratio)  \(alpha)", look), StyledText(alpha, look),
      ], fitting: width)
  }

  private func stress(_ width: Int) -> StyledText {
    let label = StyledText(derived.prefix + "stress ", derived.look)
    guard let stress = reading.stress else {
      let why = TerminalText.safe(reading.stressAbsence ?? "", unicode: style.unicode)
      return first(
        of: [
          label + StyledText(why.isEmpty ? "none yet" : "none: \(why)", .faint), label + StyledText("none", .faint),
        ],
        fitting: width)
    }
    let sign = words.stressSign(stress.category)
    let look = reading.isStale ? TextStyle.faint : sign.style
    let word = StyledText("\(sign.icon) \(stress.category.displayName.lowercased())", look)
    let bar = reading.isStale ? words.stressBar(stress).styled(.faint) : words.stressBar(stress)
    let level = StyledText(" \(LiveWording.number(stress.level))", derived.look)
    let mood = StyledText(" \(stress.mood.rawValue)", derived.look)
    let confidence = StyledText(", confidence \(LiveWording.number(stress.confidence * 100)) %", .faint)
    let pattern = StyledText(" \(sign.fill)", look)
    return first(
      of: [
        label + word + level + " " + bar + mood + confidence, label + word + level + " " + bar + mood,
        label + word + level + " " + bar, label + word + level + pattern, word + pattern,
      ], fitting: width)
  }

  // MARK: - Trace and counters

  private func trace(width: Int, height: Int) -> [StyledText] {
    let labelWidth = width >= 30 ? 8 : 0
    let trace = RRTrace(reading.beats, width: width - labelWidth, height: height, unicode: style.unicode)
    return trace.rows(isStale: reading.isStale).enumerated().map { index, row in
      guard labelWidth > 0 else { return row }
      let label =
        if reading.beats.isEmpty {
          index == 0 ? "no RR" : ""
        } else if height == 1 {
          "RR"
        } else if index == 0 {
          "\(LiveWording.seconds(trace.high)) ms"
        } else {
          index == height - 1 ? "\(LiveWording.seconds(trace.low)) ms" : ""
        }
      return StyledText(label, .faint).fitted(to: labelWidth) + row
    }
  }

  private func counters(_ width: Int) -> StyledText {
    let counts = "\(reading.notifications) notifications, \(reading.gaps) \(reading.gaps == 1 ? "gap" : "gaps")"
    var wordings = [StyledText(counts, .faint), StyledText("\(reading.gaps) gaps", .faint)]
    if let window = reading.fiveMinutes ?? reading.minute {
      let quality =
        "\(window.length.seconds) s: coverage \(LiveWording.number(window.coverage * 100)) %, "
        + "doubtful beats \(LiveWording.number(window.artifactShare * 100)) %"
      wordings.insert(StyledText("\(counts)   \(quality)", .faint), at: 0)
    }
    return first(of: wordings, fitting: width)
  }
}
