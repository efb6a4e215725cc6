#if canImport(SwiftUI)
  import OffstageClient
  import SwiftUI

  struct ListView: View {
    let list: RowList
    let core: RemoteCore

    var body: some View {
      Section(list.title) {
        ForEach(list.groups) { group in
          if !group.title.isEmpty { Text(group.title).font(.headline) }
          RowsView(list: list, rows: group.rows, core: core)
        }
      }
    }
  }

  /// Successive rows of a list.
  private struct RowsView: View {
    let list: RowList
    let rows: [Row]
    let core: RemoteCore

    private func move(_ indices: IndexSet, to offset: Int) {
      let start = list.rows.firstIndex { $0.id == rows.first?.id } ?? 0
      for index in indices { list.move(rows[index], to: start + offset) }
    }

    var body: some View {
      ForEach(rows) { row in
        Group {
          if list.isTappable(row) {
            SwiftUI.Button {
              list.tap(row)
            } label: {
              RowView(row: row, core: core)
            }
          } else {
            RowView(row: row, core: core)
          }
        }
        .contextMenu { RowMenu(actions: list.menu(of: row), list: list, row: row) }
        .swipeActions {
          RowMenu(actions: list.menu(of: row).filter(\.isDestructive), list: list, row: row)
        }
        .accessibilityAddTraits(row.states.contains("selected") ? .isSelected : [])
        .onAppear { list.showed(row) }
        ForEach(list.parts[row.id]?.items ?? []) { ItemView(item: $0, core: core) }
        ForEach(list.lists(in: row), id: \.name) { inner in
          RowsView(list: inner, rows: inner.rows, core: core).padding(.leading)
        }
      }
      .onMove(perform: list.isMovable ? { move($0, to: $1) } : nil)
    }
  }

  /// What can be done with a row besides a tap.
  private struct RowMenu: View {
    let actions: [RowList.Action]
    let list: RowList
    let row: Row

    var body: some View {
      ForEach(actions) { action in
        let send = { list.send(action.input, row) }
        Group {
          if let isOn = action.isOn {
            Toggle(action.input.title, isOn: Binding(get: { isOn }, set: { _ in send() }))
          } else {
            SwiftUI.Button(
              action.input.title, role: action.isDestructive ? .destructive : nil, action: send)
          }
        }
        .disabled(!action.isEnabled)
      }
    }
  }

  private struct RowView: View {
    let row: Row
    let core: RemoteCore

    var body: some View {
      HStack {
        PiecesView(pieces: row.leading, core: core)
        VStack(alignment: .leading) { PiecesView(pieces: row.lines, core: core) }
        Spacer()
        PiecesView(pieces: row.trailing, core: core)
      }
    }
  }

  private struct PiecesView: View {
    let pieces: [Row.Piece]
    let core: RemoteCore

    var body: some View {
      ForEach(Array(pieces.enumerated()), id: \.offset) { _, piece in
        switch piece {
        case .picture(let picture): PictureView(picture: picture, core: core)
        case .title(let text): Text(text)
        case .subtitle(let text): Text(text).font(.subheadline)
        case .details(let text): Text(text).font(.caption).foregroundStyle(.secondary)
        case .progress(let share): ProgressView(value: share)
        case .mark(let mark):
          if let symbol = mark.symbol {
            Image(systemName: symbol).accessibilityLabel(mark.title)
          } else {
            Text(mark.title).font(.caption)
          }
        case .badge(let text): Text(text).padding(.horizontal, 6).background(.tint, in: Capsule())
        case .accessory(let text): Text(text).foregroundStyle(.secondary)
        }
      }
    }
  }

  struct TableView: View {
    let table: Table

    var body: some View {
      Section(table.list.title) {
        Grid(alignment: .leading) {
          GridRow {
            ForEach(table.columns, id: \.name) { column in
              SwiftUI.Button(column.title) { table.sort(by: column) }
                .disabled(table.list.sorter == nil)
            }
          }
          ForEach(table.list.rows) { row in
            GridRow {
              ForEach(table.columns, id: \.name) { Text(table.text(row, $0)) }
            }
            .fontWeight(row.states.contains("selected") ? .bold : nil)
            .accessibilityAddTraits(row.states.contains("selected") ? .isSelected : [])
            .onTapGesture { table.list.tap(row) }
            .contextMenu { RowMenu(actions: table.list.menu(of: row), list: table.list, row: row) }
          }
        }
      }
    }
  }
#endif
