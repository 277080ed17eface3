import Access
import CommandProcess
import FileSystem
import Foundation
import Glibc
import Repository
import Sessions
import Station

/// The station that `open`, `close` and `token` apply to.
struct OpenedStation {
  let database: String
  let loader: ConfigurationLoader

  /// Reads the options. For root, the default is the packaged station.
  init(_ options: StationOptions) throws {
    let environment = ProcessInfo.processInfo.environment
    let user = geteuid() == 0 ? StateFolder.serviceUser ?? 0 : geteuid()
    let usual = try? StateFolder.databasePath(environment, serviceFolder: StateFolder.service, user: user)
    let loader = options.loader(defaultDatabase: usual)
    do {
      for line in loader.setAsideDamagedFiles() { StandardStreams.error("tachogram: \(line)") }
      guard let path = try loader.load().database ?? usual else {
        throw CommandFailure("no home folder with a database; name one with --database", code: .badUsage)
      }
      database = URL(fileURLWithPath: path).standardizedFileURL.path
    } catch let problems as ConfigurationLoader.Problems {
      throw CommandFailure(problems)
    }
    self.loader = loader
  }

  var opening: PageOpening { PageOpening(database: database, loader: loader) }

  /// Whether it is the packaged station, which systemd runs.
  var isService: Bool { AtomicFile.folder(of: database) == StateFolder.service }

  /// Runs `body` with the rights of the station's user, and words its errors.
  func asOwner<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try FolderOwner.run(AtomicFile.folder(of: database) ?? ".", body)
    } catch let problems as ConfigurationLoader.Problems {
      throw CommandFailure(problems)
    } catch let failure as CommandFailure {
      throw failure
    } catch let error as RepositoryError {
      throw CommandFailure(error)
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}
