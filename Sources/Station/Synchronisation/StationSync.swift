import FileSystem
import Foundation
import Repository
import StressKit
import Sync
import SyncEngine
import SyncHTTPStore
import TachogramCore

/// The synchronisation of the station whose database has a path: its keys, and its store.
package struct StationSync: Sendable {
  /// The most times that the state is loaded because another process changes it meanwhile.
  private static let mostLoads = 5

  package let database: TachogramDatabase
  package let keyFile: StationKeyFile
  package let engine: SpaceSync

  /// Creates the synchronisation of a database. Its keys are in the folder `sync` beside it. `onWaiting` is called once if another
  /// process synchronises for more than some seconds.
  package init(_ database: TachogramDatabase, kind: HRVKind, onWaiting: @escaping @Sendable () -> Void = {}) {
    self.database = database
    keyFile = StationKeyFile(path: Self.keyPath(of: database.path))
    engine = SpaceSync(
      database: database, keyFile: keyFile, kind: kind, now: { SystemTimeSource().now().wall },
      isClockSynchronised: { SystemClock.isSynchronised ?? true }, onWaiting: onWaiting)
  }

  /// Returns the path of the keys of the station with a database.
  package static func keyPath(of database: String) -> String {
    "\(AtomicFile.folder(of: database) ?? ".")/sync/station.key"
  }

  package var setup: SyncSetup { SyncSetup(database: database, keyFile: keyFile) }

  package var credentials: StoreCredentials { StoreCredentials(keyFile: keyFile.path) }

  /// Returns the state of synchronisation for a report. It is read from the database, and does not wait for a synchronisation that is
  /// running.
  package func storedState(at now: WallTime) throws -> SpaceState {
    var loadCount = 0
    while true {
      let state = try SpaceState(
        database, keyFile: keyFile, kind: .sdnn, now: now, isClockSynchronised: SystemClock.isSynchronised ?? true)
      loadCount += 1
      let revision = try SyncRepository(database: database).space()?.revision
      if revision == state.revision || loadCount == Self.mostLoads { return state }
    }
  }

  /// Opens a store.
  package func store(at address: StoreAddress) throws(StoreAddressFailure) -> any SyncStoreProtocol {
    switch address {
    case .folder(let path): return FolderStore(path: path)
    case .server(let url):
      let credentials = credentials
      return HTTPStore(
        HTTPStore.Options(address: url, token: try credentials.token(), authorities: try credentials.authority()))
    }
  }

  /// Opens the store of the space.
  package func store() throws -> any SyncStoreProtocol {
    guard let space = try SyncRepository(database: database).space() else { throw SyncFailure.noSpace }
    guard let address = StoreAddress(space.store, in: "/") else { throw StoreAddressFailure.invalid(space.store) }
    return try store(at: address)
  }

  /// What this station is called if a person names none: the name of the machine.
  package static var defaultName: String {
    let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? ""
    return name.isEmpty ? "station" : name
  }
}
