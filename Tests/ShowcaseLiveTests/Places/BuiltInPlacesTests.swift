import OffstageLive
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct BuiltInPlacesTests {
  @Test func placesAreDistinct() {
    let all = BuiltInPlaces.all
    #expect(all.count >= 150)
    #expect(all.map(\.id) == Array(1...all.count))
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Set(all.compactMap(\.localName)).count == all.count)
    #expect(Set(all.map(\.category)).count > 20)
  }

  @Test func manyPlacesHaveProperties() async throws {
    #expect(BuiltInPlaces.properties.values.count { !$0.isEmpty } > 100)
    for properties in BuiltInPlaces.properties.values {
      #expect(Set(properties.map(\.id)).count == properties.count)
      for property in properties {
        let isURL = property.value.hasPrefix("https://")
        #expect(isURL == (property.id == "website"))
        #expect(!property.value.isEmpty)
      }
    }
    let repository = SQLitePlaceRepository(database: try Database(.memory, execution: .inline))
    let details = try await repository.details(of: 1).current()
    #expect(details?.properties.map(\.id) == ["address", "address:ko", "website", "opening_hours"])
  }

  /// A road has one Korean name, and an address the same number in both languages.
  @Test func addressesAreInBothLanguages() {
    var roads: [Substring: Set<Substring>] = [:]
    for properties in BuiltInPlaces.properties.values {
      let values = Dictionary(uniqueKeysWithValues: properties.map { ($0.id, $0.value) })
      #expect((values["address"] != nil) == (values["address:ko"] != nil))
      guard let english = values["address"], let korean = values["address:ko"] else { continue }
      let (number, road) = (english.prefix { $0 != " " }, english.prefix { $0 != "," })
      #expect(korean.split(separator: " ").last == number, "\(korean)")
      #expect(korean.split(separator: " ").count == english.split(separator: ",").count + 1)
      roads[road.drop { $0 != " " }, default: []].insert(
        korean.split(separator: " ").dropLast().last!)
    }
    #expect(roads.count > 50)
    #expect(roads.values.allSatisfy { $0.count == 1 })
    #expect(Set(roads.values.flatMap(\.self)).count == roads.count)
  }

  @Test func placesAreAroundSeoul() {
    for place in BuiltInPlaces.all {
      #expect((37.1...38).contains(place.lat), "\(place)")
      #expect((126.3...127.6).contains(place.lng), "\(place)")
      #expect((3.5...5).contains(place.rating ?? 0), "\(place)")
      #expect(place.name.allSatisfy { $0.isASCII })
      #expect(!place.name.isEmpty)
      #expect(place.name == place.name.normalizedName)
      #expect(place.localName == place.localName?.normalizedName)
    }
  }

  /// Within 300 meters of published coordinates.
  @Test(arguments: [
    ("Gyeongbokgung Palace", 37.5796, 126.9770), ("N Seoul Tower", 37.5512, 126.9882),
    ("Gangnam Station", 37.4979, 127.0276), ("Seoul Station", 37.5547, 126.9707),
    ("Lotte World Tower", 37.5125, 127.1025), ("Bukhansan (Baegundae)", 37.6587, 126.9779),
    ("Seoul World Cup Stadium", 37.5683, 126.8972), ("Everland", 37.2939, 127.2025),
    ("Incheon International Airport", 37.4602, 126.4407), ("COEX", 37.5118, 127.0592),
  ])
  func coordinatesMatchPublishedOnes(name: String, lat: Double, lng: Double) throws {
    let place = try #require(BuiltInPlaces.all.first { $0.name == name })
    #expect(abs(place.lat - lat) < 0.003)
    #expect(abs(place.lng - lng) < 0.0035)
  }
}
