import Offstage

/// One title with the facts of its kind and its player, independent of the shelves.
final class TitleDetail: ViewModel {
  enum Action: LoggableEvent {
    static let screen = "titleDetail"
    case didAppear, playTapped, pauseTapped, seek, bookmarkTapped
  }

  struct Argument: Codable, Sendable {
    /// The title's key.
    let key: String
  }

  struct Dependency {
    let key: String
    let records: LibraryRecords
    let tracker: any EventTracker
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    /// Pauses the player until the screen appears again.
    let didDisappear = In<Trigger>()
    let retry = In<Trigger>()
    let refresh = In<Trigger>()
    let playTapped = In<Trigger>(.visible(by: \Output.canPlay))
    let pauseTapped = In<Trigger>(.visible(by: \Output.canPause))
    let seek = Field(Seek(to: 0), roles: .visible(by: \Output.canSeek))
    let bookmarkTapped = In<Trigger>(.visible(by: \Output.canBookmark))
  }

  struct Output: StaleOutput {
    let detail = Out<TitleDetails?>(nil)
    let isPlaying = Out(false)
    let position = Out(Seek(to: 0), .selection(of: \Input.seek))
    let canPlay = Out(false)
    let canPause = Out(false)
    let canSeek = Out(false)
    let canBookmark = Out(false)
    let isLoading = Out(false)
    let isStale = Out(false)
    let staleSince = Out<Int?>(nil)
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
    let failed = Event<Failure>()
  }

  /// The interval at which the progress is shown and saved while the title plays.
  static let tick = Duration.seconds(1)

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency
  private let localizer = Localizer()
  private var title: LibraryTitle?
  /// nil while the title does not play.
  private let playback = Kept<Playback?>(nil)
  /// True if playback resumes when the screen appears.
  private let resumes = Kept(false)
  private lazy var player = effects.task(.keepFirst)

  init(dependency: Dependency) {
    self.dependency = dependency
    dependency.tracker.track(input.didAppear, as: Action.didAppear)
    dependency.tracker.track(input.playTapped, as: Action.playTapped)
    dependency.tracker.track(input.pauseTapped, as: Action.pauseTapped)
    dependency.tracker.track(input.seek.edits) { _ in Action.seek }
    dependency.tracker.track(input.bookmarkTapped, as: Action.bookmarkTapped)
    let title = Loader(effects) { try await dependency.records.title(key: dependency.key) }
    output.bind(title, .loadTitle, localizer)
    output.isPlaying.bind(player.activity)
    player.onRestart("player") { [self] in playOn() }
    output.position.derive { [output] in Seek(to: output.detail.value?.progress ?? 0) }
    output.position.observe { [input] in input.seek.value = $0 }
    output.canSeek.derive { [output] in output.detail.value?.canPlay == true }
    output.canPlay.derive { [output] in output.canSeek.value && !output.isPlaying.value }
    output.canPause.bind(output.isPlaying)
    output.canBookmark.derive { [output] in output.detail.value?.canBeBookmarked == true }
    title.values.observe { [self] in show($0) }
    input.didAppear.merge(input.retry).observe { (_: Trigger) in title.load() }
    input.didAppear.observe { [self] in if resumes.value { play() } }
    input.didDisappear.observe { [self] in
      guard output.isPlaying.value else { return }
      update()
      // `update` stops a title that has ended.
      let plays = playback.value != nil
      stop()
      resumes.value = plays
    }
    input.refresh.observe { title.reload() }
    dependency.records.invalidations.observe { [self] in
      stop()
      title.reload()
    }
    input.playTapped.observe { [self] in play() }
    input.pauseTapped.observe { [self] in pause() }
    input.seek.edits.observe { [self] in
      seek(to: $0.to)
      // A title without a player, or one watched to the end, does not go there.
      input.seek.value = output.position.value
    }
    input.bookmarkTapped.observe { [self] in
      guard let title = self.title else { return }
      dependency.records.toggleBookmark(of: title) { [self] in fail($0, .saveBookmark) }
    }
    dependency.records.changes.observe { [self] change in
      guard change.key == dependency.key, var title = self.title else { return }
      title.record = change.record
      show(title)
    }
    localizer.onChange { [self] in
      if let title = self.title { show(title) }
    }
    title.load()
  }

  private func show(_ title: LibraryTitle) {
    self.title = title
    output.detail.value = TitleDetails(title, localizer.words)
  }

  private func fail(_ error: any Error, _ attempt: Attempt) {
    output.failed.send(localizer.report(error, attempt))
  }

  // MARK: Playing

  private func play() {
    guard let title, title.model.film != nil, !output.isPlaying.value else { return }
    resumes.value = false
    let now = effects.now
    playback.value = Playback(progress: title.record.progress ?? 0, start: now, tick: now)
    tick()
  }

  /// Shows and saves the progress once per tick.
  private func tick() {
    player.run { [self] in
      while let tick = playback.value?.tick {
        try await effects.sleep(for: tick + Self.tick - effects.now)
        playback.value?.tick = effects.now
        update()
      }
    }
  }

  /// Plays on after a restart. The time without a core does not count.
  private func playOn() {
    guard let tick = playback.value?.tick else { return }
    let pause = effects.now - tick - Self.tick
    if pause > .zero {
      playback.value?.start += pause
      playback.value?.tick += pause
    }
    self.tick()
  }

  private func pause() {
    guard output.isPlaying.value else { return }
    update()
    stop()
  }

  /// Stops without saving.
  private func stop() {
    playback.value = nil
    resumes.value = false
    player.cancel()
  }

  private func seek(to progress: Double) {
    guard title?.model.film != nil else { return }
    if output.isPlaying.value {
      playback.value?.progress = progress
      playback.value?.start = effects.now
    }
    save(progress)
  }

  /// Advances the progress to the current time.
  private func update() {
    guard let playback = playback.value, let duration = title?.model.film?.duration else { return }
    save(playback.progress + (effects.now - playback.start) / duration)
  }

  /// Shows and saves the progress. A title watched to the end has none.
  private func save(_ progress: Double) {
    guard let title else { return }
    if progress >= 1 { stop() }
    let isUnderWay = progress > 0 && progress < 1
    dependency.records.setProgress(isUnderWay ? progress : nil, of: title) { [self] in
      fail($0, .saveProgress)
    }
  }
}

/// A title that plays.
private struct Playback: Codable, Sendable {
  /// The progress, and the time when it was shown last for another reason than playing.
  var progress: Double
  var start: Duration
  /// When the progress was saved last.
  var tick: Duration
}

/// A position in a title.
struct Seek: Codable, Hashable, Sendable {
  /// From 0 to 1.
  let to: Double

  init(to: Double) { self.to = to }

  /// - Throws: `DecodingError` for a position out of range.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    to = try container.decode(Double.self, forKey: .to, in: 0...1)
  }
}

/// A title as its own screen shows it, in the same shape for every kind of model.
struct TitleDetails: Codable, Hashable, Sendable, SchemaAnnotated {
  let id: String
  let title: String
  /// A portrait image, as a URL that opens without the network.
  let image: String
  /// In display order.
  let facts: [FactRow]
  let canBeBookmarked: Bool
  let isBookmarked: Bool
  let canPlay: Bool
  /// The URL of the video; nil for a title that cannot be played.
  let stream: String?
  /// The watched part, from 0 to 1; nil if the title was never started.
  let progress: Double?

  init(_ title: LibraryTitle, _ words: Words) {
    let model = title.translated(words)
    id = model.face.key
    self.title = model.face.title
    image = model.face.images.portrait
    facts = model.facts(words)
    canBeBookmarked = model.canBeBookmarked
    isBookmarked = title.record.isBookmarked
    canPlay = model.film != nil
    stream = model.film?.stream
    progress = title.record.progress
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [
      \.image: .picture(.poster), \.stream: .video, \.progress: .range(0.0...1),
      \.canBeBookmarked: .hidden, \.canPlay: .hidden,
    ]
  }
}

/// A labeled value on a title's own screen.
struct FactRow: Identifiable, Codable, Hashable, Sendable {
  let id: String
  let label: String
  let value: String

  /// - Parameter label: The name of the label, if it differs from the id.
  init(_ id: String, label: String? = nil, _ value: String, _ words: Words) {
    self.id = id
    self.label = words.title(of: "Fact.\(label ?? id)")
    self.value = value
  }
}
