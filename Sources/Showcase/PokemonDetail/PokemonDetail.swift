public import Offstage

/// One Pokémon in full: it loads one, and knows nothing of the list.
public final class PokemonDetail: Screen {
  public static let kind = "pokemonDetail"

  public struct Argument: Codable, Sendable {
    /// National Pokédex number.
    public let id: Int

    public init(id: Int) { self.id = id }
  }

  public struct Dependency {
    public let id: Int
    public let repository: any PokemonRepository
    public let images: any ImageRepository

    public init(id: Int, repository: any PokemonRepository, images: any ImageRepository) {
      self.id = id
      self.repository = repository
      self.images = images
    }
  }

  public struct Input: Ports {
    public let didAppear = In<Trigger>()
    public let retry = In<Trigger>()
    public init() {}
  }

  public struct Output: Ports {
    public let detail = Out<PokemonDetails?>(nil)
    public let isLoading = Out(false)
    public let failed = Event<LoadFailure>()
    public init() {}
  }

  public let input = Input()
  public let output = Output()
  public let effects = Effects()

  private let dependency: Dependency

  public init(dependency: Dependency) {
    self.dependency = dependency
    output.isLoading.bind(effects.activity("load"))
    input.didAppear.merge(input.retry).observe { [self] (_: Trigger) in load() }
    load()
  }

  private func load() {
    guard output.detail.value == nil else { return }
    effects.run("load", .keepFirst) { [self] in
      let pokemon = try await dependency.repository.pokemon(id: dependency.id)
      output.detail.value = PokemonDetails(pokemon)
      loadImage(pokemon.imageURL)
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }

  private func loadImage(_ url: String?) {
    guard output.detail.value?.image == nil, let url else { return }
    effects.run("image") { [self] in
      output.detail.value?.image = try await dependency.images.localURL(of: url)
    } catch: { [self] _ in
      output.detail.value?.image = FallbackImage.url
    }
  }
}
