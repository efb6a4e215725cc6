import Testing

/// What only a real process shows: streams, signals, pipes that are full, memory, the end.
///
/// One child at a time, so that none of them has to share its two cores.
@Suite(.serialized) enum HostProcessTests {}
