import ArgumentParser
import Repository
import Station
import Sync
import SyncEngine

/// What a sync server asks for.
struct SyncServerOption: ParsableArguments {
  @Option(help: "A file with the token of the sync server; - for standard input. It is kept beside the keys.")
  var tokenFile: String?

  @Option(help: "A PEM file with the authority of the server's certificate, if it is one of your own. It is kept, too.")
  var authority: String?

  /// Keeps what the server asks for. Throws if this station is not a member of a space.
  func keep(for sync: StationSync) throws {
    guard try SyncRepository(database: sync.database).space() != nil else { throw SyncFailure.noSpace }
    try sync.credentials.keep(tokenFile: tokenFile, authorityFile: authority)
  }

  /// Keeps what the server asks for, and opens the store.
  func store(of sync: StationSync, at address: StoreAddress) throws -> any SyncStoreProtocol {
    try sync.credentials.keep(tokenFile: tokenFile, authorityFile: authority)
    return try sync.store(at: address)
  }
}
