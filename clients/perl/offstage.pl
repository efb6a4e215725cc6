#!/usr/bin/env perl
# Keeps a document in step with its core: the whole protocol in one file of plain Perl.
#
#   offstage.pl CORE [ARGUMENT ...]
#
# Reads requests from standard input, one per line: a method, then its params as JSON. Prints the
# result, what the frames before it changed, and whether the document still equals the core's.
#
#   printf '%s\n' 'input {"screen":"1","name":"nameText","value":"Kim"}' state/settle |
#     clients/perl/offstage.pl .build/debug/showcase --deterministic --root signUp
use strict;
use warnings;
use IPC::Open2;
use JSON::PP;

my $json = JSON::PP->new->utf8->canonical->allow_nonref;
my ($document, $revision, $last_id) = (undef, 0, 0);
my ($out, $in);

# Starts a core. Its input and output are pipes; its log goes to our standard error.
sub start {
  my @command = @_;
  my $pid = open2($out, $in, @command);
  $in->autoflush(1);
  return $pid;
}

# Sends a request, and handles messages up to its response. Dies with the core's error.
sub call {
  my ($method, $params) = @_;
  my $id = ++$last_id;
  print $in $json->encode(
    {jsonrpc => "2.0", id => $id, method => $method, params => $params // {}}), "\n";
  while (defined(my $line = <$out>)) {
    my $message = $json->decode($line);
    if (!exists $message->{id}) {
      notified($message->{method}, $message->{params});
    } elsif (defined $message->{id} && $message->{id} eq $id) {
      die $message->{error} if $message->{error};
      return $message->{result};
    }
  }
  die {code => 0, message => "the core has ended"};
}

sub notified {
  my ($method, $params) = @_;
  if ($method eq "frame") {
    frame($params);
  } elsif ($method eq "error") {
    print "error $params->{code}: $params->{message}\n";
  }    # A newer core may send more.
}

# Applies a frame: all of it, or none. After a gap, the core's snapshot replaces the document.
sub frame {
  my ($frame) = @_;
  my $patch = $frame->{patch} // [];
  my $is_whole = @$patch && $patch->[0]{path} eq "";
  if ($frame->{revision} != $revision + 1 && !$is_whole) {
    my $snapshot = call("state/snapshot");
    ($document, $revision) = @$snapshot{qw(state revision)};
    return;
  }
  my $next = $document;
  $next = apply($next, $_) for @$patch;
  ($document, $revision) = ($next, $frame->{revision});
  print "changed ", join(" ", map { $_->{path} || "/" } @$patch), "\n" if @$patch;
  print "event $_->{name} ", $json->encode($_->{value}), "\n" for @{$frame->{events} // []};
}

# Returns the document after one operation of RFC 6902. The original stays as it is.
sub apply {
  my ($root, $edit) = @_;
  my ($op, @path) = ($edit->{op}, tokens($edit->{path}));
  if ($op eq "move") {
    my $value = value_at($root, tokens($edit->{from}));
    $root = changed($root, "remove", undef, tokens($edit->{from}));
    return changed($root, "add", $value, @path);
  }
  return changed($root, $op, $edit->{value}, @path);
}

# Copies the containers on the path, and edits the innermost one.
sub changed {
  my ($node, $op, $value, @path) = @_;
  return $value unless @path;
  my ($token, @rest) = @path;
  if (ref $node eq "ARRAY") {
    my @copy = @$node;
    my $index = $token eq "-" ? @copy : $token;
    die "no element $token" unless $index =~ /^(?:0|[1-9]\d*)$/ && $index <= @copy;
    if (@rest) { $copy[$index] = changed($copy[$index], $op, $value, @rest) }
    elsif ($op eq "add") { splice @copy, $index, 0, $value }
    elsif ($op eq "remove") { splice @copy, $index, 1 }
    else { $copy[$index] = $value }
    return \@copy;
  }
  die "no container at $token" unless ref $node eq "HASH";
  my %copy = %$node;
  die "no member $token" if !exists $copy{$token} && (@rest || $op ne "add");
  if (@rest) { $copy{$token} = changed($copy{$token}, $op, $value, @rest) }
  elsif ($op eq "remove") { delete $copy{$token} }
  else { $copy{$token} = $value }
  return \%copy;
}

sub value_at {
  my ($node, @path) = @_;
  $node = ref $node eq "ARRAY" ? $node->[$_] : $node->{$_} for @path;
  return $node;
}

# Splits a JSON Pointer (RFC 6901).
sub tokens {
  my (undef, @tokens) = split m{/}, $_[0], -1;
  s/~1/\//g, s/~0/~/g for @tokens;
  return @tokens;
}

die "usage: offstage.pl CORE [ARGUMENT ...]\n" unless @ARGV;
my $pid = start(@ARGV);
call("initialize", {protocol => 1, client => {name => "offstage.pl", version => "1"}});
while (my $line = <STDIN>) {
  my ($method, $params) = $line =~ /^(\S+)\s*(.*)$/ or next;
  my $result = eval { call($method, length $params ? $json->decode($params) : {}) };
  if (my $error = $@) {
    print ref $error ? "error $error->{code}: $error->{message}\n" : "error: $error";
  } else {
    print "result ", $json->encode($result), "\n";
  }
  my $snapshot = call("state/snapshot")->{state};
  if ($json->encode($snapshot) ne $json->encode($document)) {
    print "the document differs from the core's\n";
    exit 1;
  }
}
close $in;    # The core ends with its input.
1 while <$out>;
waitpid $pid, 0;
exit $? >> 8;
