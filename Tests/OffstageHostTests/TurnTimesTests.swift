import Testing

@testable import OffstageHost

@Suite struct TurnTimesTests {
  @Test func percentilesAreWithinAFifth() throws {
    var times = TurnTimes()
    #expect(times.milliseconds(ofPercent: 50) == nil)
    for number in 1...1000 { times.add(.microseconds(100 * number)) }
    for (percent, exact) in [(50, 50.0), (95, 95), (99, 99), (100, 100)] {
      let found = try #require(times.milliseconds(ofPercent: percent))
      #expect(exact...(exact * 1.2) ~= found, "\(percent) %: \(found)")
    }
    #expect(times.slow == 500)
  }

  @Test func bucketsCountWhatIsNotLonger() {
    var times = TurnTimes()
    for time in [Duration.nanoseconds(1), .microseconds(3), .milliseconds(2), .seconds(100)] {
      times.add(time)
    }
    let lines = times.lines(named: "t")
    #expect(lines.prefix(2) == [#"t_bucket{le="1e-06"} 1"#, #"t_bucket{le="4e-06"} 2"#])
    #expect(lines.suffix(3) == [#"t_bucket{le="+Inf"} 4"#, "t_sum 100.002003001", "t_count 4"])
  }
}
