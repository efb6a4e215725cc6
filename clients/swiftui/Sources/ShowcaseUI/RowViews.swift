#if canImport(SwiftUI)
  import OffstageClient
  import SwiftUI

  struct ListView: View {
    let list: RowList
    let core: RemoteCore

    var body: some View {
      TitledSection(title: list.title) {
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
        ActiveRow(list: list, row: row) { RowView(row: row, core: core) }
        ForEach(list.parts[row.id]?.items ?? []) { ItemView(item: $0, core: core) }
        ForEach(list.lists(in: row), id: \.name) {
          ListView(list: $0, core: core).padding(.leading)
        }
      }
      .onMove(perform: list.isMovable ? { move($0, to: $1) } : nil)
    }
  }

  /// A row of a list or a table, with what can be done with it.
  private struct ActiveRow<Content: View>: View {
    let list: RowList
    let row: Row
    @ViewBuilder let content: Content

    var body: some View {
      Group {
        if list.isTappable(row) {
          SwiftUI.Button {
            list.tap(row)
          } label: {
            content
          }
        } else {
          content
        }
      }
      .contextMenu {
        RowMenu(actions: list.menu(of: row), list: list, row: row)
        MoveMenu(list: list, row: row)
      }
      .swipeActions {
        RowMenu(actions: list.menu(of: row).filter(\.isDestructive), list: list, row: row)
      }
      .accessibilityAddTraits(row.states.contains("selected") ? .isSelected : [])
      .onAppear { list.showed(row) }
    }
  }

  /// What can be done with a row besides a tap.
  private struct RowMenu: View {
    let actions: [RowList.Action]
    let list: RowList
    let row: Row

    var body: some View {
      ForEach(actions) { action in
        Group {
          if let isOn = action.isOn {
            Toggle(
              action.input.title,
              isOn: Binding(get: { isOn }, set: { _ in list.send(action.input, row) }))
          } else {
            SwiftUI.Button(action.input.title, role: action.isDestructive ? .destructive : nil) {
              list.send(action.input, row)
            }
          }
        }
        .disabled(!action.isEnabled)
      }
    }
  }

  /// Moves a row by one place, where it cannot be dragged.
  private struct MoveMenu: View {
    let list: RowList
    let row: Row

    var body: some View {
      if let title = list.moveTitle, let place = list.rows.firstIndex(where: { $0.id == row.id }) {
        Menu(title) {
          SwiftUI.Button("Up") { list.move(row, to: place - 1) }.disabled(place == 0)
          SwiftUI.Button("Down") { list.move(row, to: place + 2) }
            .disabled(place == list.rows.count - 1)
        }
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

  /// A table, whose columns are equally wide.
  struct TableView: View {
    let table: Table

    var body: some View {
      TitledSection(title: table.list.title) {
        line { column in
          SwiftUI.Button(column.title) { table.sort(by: column) }
            // Without a style, a tap on a row of a form presses all buttons in it.
            .buttonStyle(.borderless)
            .disabled(table.list.sorter == nil)
        }
        ForEach(table.list.rows) { row in
          ActiveRow(list: table.list, row: row) {
            line { Text(table.text(row, $0)) }
              .fontWeight(row.states.contains("selected") ? .bold : nil)
          }
        }
      }
    }

    private func line(_ cell: @escaping (PortDescription) -> some View) -> some View {
      HStack {
        ForEach(table.columns, id: \.name) {
          cell($0).frame(maxWidth: .infinity, alignment: .leading)
        }
      }
    }
  }
#endif
