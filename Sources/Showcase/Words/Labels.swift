internal import Offstage

/// The words beside screens, ports, and choices, for front ends that draw the app from its
/// description.
///
/// A key is the kind of a screen (`map`), a port (`map.sortBy`), a case of an enum
/// (`PlaceSort.distance`) or a member of a type (`PlaceRow.rating`). A key without its first part
/// (`retry`) stands for all of that name. What the table of a language does not have is derived from
/// the name by the runtime, in English.
struct LabelTable: Sendable {
  private let entries: [String: Label]

  /// - Parameter table: A line for each key: `key = title | placeholder`.
  init(_ table: String) {
    let lines = table.split(separator: "\n").map { line in
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      let texts = parts[1].split(separator: "|", maxSplits: 1).map { $0.trimmed }
      return (parts[0], Label(texts[0], placeholder: texts.dropFirst().first))
    }
    entries = Dictionary(uniqueKeysWithValues: lines)
  }

  subscript(key: String) -> Label? {
    entries[key] ?? key.lastIndex(of: ".").flatMap { entries[String(key[$0...].dropFirst())] }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    let end = start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex
    return String(start[..<end])
  }
}

extension English {
  /// Where the derived title would not do.
  static let labels = LabelTable(
    """
    categoryList = Category
    createAvatar = New avatar
    createAccount = Create account
    customModal = Question
    devSettings = Developer settings
    editProfile = Edit profile
    gallery = Navigation gallery
    placeDetail = Place
    placeSearch = Search places
    pokedex = Pokédex
    pokemonDetail = Pokémon
    signUp = Sign up
    titleDetail = Title
    retry = Try again
    reachedEnd = Show more
    refresh = Refresh
    failed = Error
    failure = Error
    hasMore = More to show
    hasNoResults = No results
    isStale = Out of date
    areResultsStale = Results out of date
    areDetailsOpen = Details open
    areNotificationsOn = Reminders on
    isLoading = Loading
    isSaving = Saving
    isReplying = Replying
    isSearching = Searching
    avatarTapped = Chat
    createAccountTapped = Create account
    createAvatarTapped = New avatar
    editProfileTapped = Edit profile
    settingsTapped = Settings
    closeTapped = Close
    cancel = Cancel
    save = Save
    nameText = Name | Your name
    map.boundsChanged = Visible area
    map.sortBy = Sort by
    map.placeTapped = Show place
    map.searchBarTapped = Search
    map.searchBackTapped = Back to search
    map.locateTapped = My location
    map.sheetDetentChanged = Sheet height
    map.detailsClosed = Back to the list
    placeSearch.queryText = Search | Name of a place
    placeSearch.placeTapped = Pick place
    explore.categoryTapped = Show category
    explore.devSettingsTapped = Developer settings
    explore.pushPermissionTapped = Turn on notifications
    chats.chatTapped = Open chat
    chats.deleteTapped = Delete
    chats.undoTapped = Undo
    chat.messageText = Message | Write a message
    chat.send = Send
    chat.stop = Stop
    chat.shareTapped = Share
    chat.clear = Clear chat
    createAvatar.nameText = Name | Name of the avatar
    createAvatar.descriptionText = Description | What is the avatar like?
    createAvatar.categoryPicked = Category
    createAccount.signUpTapped = Sign up
    createAccount.notNowTapped = Not now
    editProfile.picturePicked = Picture
    settings.notificationsSwitched = Reminders
    settings.signOutTapped = Sign out
    settings.deleteAccountTapped = Delete account
    devSettings.categoryRowPicked = Category row
    devSettings.createAccountPromptPicked = Account prompt
    pokedex.pokemonTapped = Show Pokémon
    pokedex.searchText = Search | Name of a Pokémon
    library.cardTapped = Show title
    library.bookmarkTapped = Bookmark
    titleDetail.playTapped = Play
    titleDetail.pauseTapped = Pause
    titleDetail.seek = Position
    titleDetail.bookmarkTapped = Bookmark
    signUp.emailText = Email | kim@example.com
    signUp.confirm = Sign up
    at = Time
    cutReason = Reason
    distanceText = Distance
    heightText = Height
    isCut = Cut off
    localName = Other name
    typeNames = Types
    weightText = Weight
    CategoryRowOption.original = Below the featured avatars
    CategoryRowOption.top = At the top
    CategoryRowOption.hidden = Hidden
    SheetDetent.tip = Tip
    SheetDetent.half = Half
    SheetDetent.full = Full
    NotificationStatus.notAsked = Not asked
    NotificationPermissionStatus.notDetermined = Not asked
    CompassPoint.northEast = Northeast
    CompassPoint.southEast = Southeast
    CompassPoint.southWest = Southwest
    CompassPoint.northWest = Northwest
    """)
}
