import Repository
import Sync

/// The book of edits with those of received chunks, until they are stored.
struct EditedBook {
  var book: EditBook
  /// The edits that their authors made again.
  private(set) var discarded: [SyncRows.Edit] = []

  init(_ book: EditBook) {
    self.book = book
  }

  mutating func discardQuarantined(madeAgainAs edit: Edit) {
    discarded += book.discardQuarantined(madeAgainAs: edit).map(\.row)
  }
}
