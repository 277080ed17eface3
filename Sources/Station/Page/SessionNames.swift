import Dashboard
import Presentation
import Repository
import TachogramCore

/// Sessions with the names that the user gave the straps.
struct SessionNames: Sendable {
  let names: StrapNames

  func session(_ summary: SessionSummary, _ running: Set<String>) -> API.Session {
    let session = summary.record.description
    return API.Session(
      summary, name: ChosenName.shown(names.name(0, session.strap)), isRunning: running.contains(session.id))
  }
}
