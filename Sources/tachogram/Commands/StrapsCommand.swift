import ArgumentParser
import BlueZ
import CommandProcess
import DBus
import FoundationEssentials
import Listening
import Presentation
import Repository
import TachogramCore

/// `straps`: lists, renames and forgets the known straps.
struct StrapsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "straps", abstract: "List, rename, assign and forget paired straps.",
    subcommands: [List.self, Rename.self, Assign.self, Forget.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the paired straps.")

    @OptionGroup var store: DatabaseOption

    @Option(help: "text or json.")
    var format = OutputFormat.text

    func validate() throws {
      if format == .ndjson { throw ValidationError("straps does not support ndjson; use text or json.") }
    }

    func run() throws {
      let straps = try KnownStraps.all(try store.path())
      if format == .json { return StandardStreams.out(try JSONOutput.line(StoredStraps(straps))) }
      if straps.isEmpty { return StandardStreams.out("no strap is known; `tachogram pair` makes one known\n") }
      for strap in straps {
        let bond =
          (strap.isBonded ? ", bonded" : "") + (strap.isRecognisable ? "" : ", not recognised when its address changes")
          + (strap.person.map { ", worn by \(TerminalText.safe($0))" } ?? "")
        StandardStreams.out(
          "\(strap.address)  \(TerminalText.safe(strap.name))  \(TerminalText.safe(strap.advertisedName ?? "(no name)"))\(bond)  "
            + "since \(Timestamp.text(strap.added))\n")
      }
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Rename a paired strap.")

    @OptionGroup var store: DatabaseOption
    @Argument(help: "The strap, by name or address.") var strap: String
    @Argument(help: "The new name.", transform: NameOption.name) var name: String

    func run() throws {
      try KnownStraps.change(try store.path(), strap) { repository, known in try repository.rename(known, to: name) }
    }
  }

  struct Assign: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set who wears a paired strap and the label of its sessions. Without options, both are removed.")

    @OptionGroup var store: DatabaseOption
    @Argument(help: "The strap, by name or address.") var strap: String
    @Option(help: "The person who wears it.", transform: NameOption.name) var person: String?
    @Option(help: "The label of its sessions.", transform: NameOption.name) var label: String?

    func run() throws {
      try KnownStraps.change(try store.path(), strap) { repository, known in
        try repository.assign(known, person: person, label: label)
      }
    }
  }

  struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget a paired strap. Its recordings and its bond in the Bluetooth daemon are kept.")

    @OptionGroup var store: DatabaseOption
    @Argument(help: "The strap, by name or address.") var strap: String

    func run() throws {
      try KnownStraps.change(try store.path(), strap) { repository, known in try repository.forget(known) }
    }
  }
}
