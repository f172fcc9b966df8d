# Makes network namespaces without a name, each with a TUN device, and carries IP packets between these and its parent. Nothing but the
# descriptors of this process holds them: they are gone when it ends, however it ends. Node can make none of this; perl-base is on every
# Debian and Ubuntu. Arguments: numbers of the system calls unshare, clock_gettime and setns here, how many namespaces, congestion
# control; then paths of namespaces that are there already, as those of containers: they get a device each, and none is made.
#
# It begins with a line on stdout: the descriptors of the namespaces, the congestion control found. Then both ways frames follow, each a
# time in ns (CLOCK_MONOTONIC, a double) and a packet, framed by its own length. To the parent: when it was seen to have left its node. From
# there: when it is due, at the node of its address. What begins with a 0 byte is no packet: it asks how late packets were, in µs since
# last asked.
use strict;
use warnings;
use Fcntl;
use Socket;

my ($UNSHARE, $CLOCK_GETTIME, $SETNS, $count, $congestion, @given) = @ARGV;
my $CLONE_NEWNET = 0x40000000;
my ($TUNSETIFF, $IFF_TUN, $IFF_NO_PI) = (0x400454ca, 0x0001, 0x1000);
my ($SIOCSIFADDR, $SIOCSIFNETMASK, $SIOCSIFFLAGS, $IFF_UP) = (0x8916, 0x891c, 0x8914, 0x1);
my ($AF_NETLINK, $RTM_NEWLINK, $NLM_F_REQUEST, $IFLA_IFNAME, $IFLA_TXQLEN) = (16, 16, 1, 3, 13);
my $QUEUE_PACKETS = 4000;
my ($PACKET_BYTES, $PACKETS_AT_ONCE, $LATE_AT_ONCE) = (2048, 32, 10_000);

sub new_namespace {
    syscall($UNSHARE, $CLONE_NEWNET) == 0 or die "unshare: $!\n";
    open(my $held, '<', '/proc/self/ns/net') or die "/proc/self/ns/net: $!\n";
    return $held;
}

sub entered {
    my ($path) = @_;
    open(my $held, '<', $path) or die "$path: $!\n";
    syscall($SETNS, fileno $held, $CLONE_NEWNET) == 0 or die "setns: $!\n";
    return $held;
}

sub new_tun {
    sysopen(my $tun, '/dev/net/tun', O_RDWR | O_NONBLOCK) or die "/dev/net/tun: $!\n";
    my $request = pack('a16 s x22', 'tun0', $IFF_TUN | $IFF_NO_PI);
    ioctl($tun, $TUNSETIFF, $request) or die "TUNSETIFF: $!\n";
    return $tun;
}

sub up {
    my ($device, $address) = @_;
    socket(my $socket, PF_INET, SOCK_DGRAM, 0) or die "socket: $!\n";
    my $set = sub {
        my ($what, $request) = @_;
        ioctl($socket, $what, $request) or die "$device: $!\n";
    };
    if (defined $address) {
        $set->($SIOCSIFADDR, pack('a16 S n N x8 x8', $device, AF_INET, 0, $address));
        $set->($SIOCSIFNETMASK, pack('a16 S n N x8 x8', $device, AF_INET, 0, 0xff000000));
    }
    $set->($SIOCSIFFLAGS, pack('a16 s x22', $device, $IFF_UP));
}

# A burst of a node must not be lost on its own device. Without the rights of root it is changed over rtnetlink(7) only.
sub lengthen_queue {
    my $attributes = pack('S S a8', 12, $IFLA_IFNAME, 'tun0') . pack('S S L', 8, $IFLA_TXQLEN, $QUEUE_PACKETS);
    my $message = pack('C x S l L L', 0, 0, 0, 0, 0) . $attributes;
    socket(my $netlink, $AF_NETLINK, SOCK_RAW, 0) or return;
    syswrite($netlink, pack('L S S L L', 16 + length $message, $RTM_NEWLINK, $NLM_F_REQUEST, 1, 0) . $message);
}

# Not every container lets it be set; what is in force is read back.
sub setting {
    my ($name, $value) = @_;
    if (defined $value and open(my $file, '>', "/proc/sys/net/ipv4/$name")) {
        syswrite($file, $value);
    }
    open(my $file, '<', "/proc/sys/net/ipv4/$name") or return '';
    chomp(my $found = <$file>);
    return $found;
}

my (@namespaces, @tuns, $found);
for my $node (0 .. $count - 1) {
    push @namespaces, @given ? entered($given[$node]) : new_namespace();
    push @tuns, new_tun();
    lengthen_queue();
    up('lo');
    up('tun0', 0x0a000001 + $node);
    # one connection must not begin with what an earlier one learned
    setting('tcp_no_metrics_save', 1);
    $found = setting('tcp_congestion_control', $congestion eq 'host' ? undef : $congestion);
}
# its own, in which it can be tried what this kernel has
new_namespace();

binmode $_ for (\*STDIN, \*STDOUT);
put(join(',', map { fileno $_ } @namespaces) . " $found\n");

my $watched = '';
vec($watched, fileno $_, 1) = 1 for (\*STDIN, @tuns);
my ($in, @waiting, @late) = ('');
while (1) {
    my $ready = $watched;
    my $wait = @waiting ? ($waiting[0][0] - now()) / 1e9 : undef;
    $wait = 0 if defined $wait and $wait < 0;
    next if select($ready, undef, undef, $wait) < 0;
    # first what left its node: it must not wait, unseen, until others are handed over
    collect($ready);
    take() if vec($ready, fileno STDIN, 1);
    deliver();
}

# From the parent, into the order of due times.
sub take {
    sysread(STDIN, $in, 1 << 18, length $in) or exit;
    my $at = 0;
    while (length($in) - $at >= 12) {
        my ($due, $first, $bytes) = unpack('d< C x n', substr($in, $at, 12));
        last if length($in) - $at < 8 + $bytes;
        if ($first == 0) { tell_lateness() }
        else {
            my $place = @waiting;
            $place-- while $place > 0 and $waiting[$place - 1][0] > $due;
            splice(@waiting, $place, 0, [$due, substr($in, $at + 8, $bytes)]);
        }
        $at += 8 + $bytes;
    }
    substr($in, 0, $at) = '';
}

sub deliver {
    my $now = now();
    while (@waiting and $waiting[0][0] <= $now) {
        my ($due, $packet) = @{ shift @waiting };
        my $node = (unpack('N', substr($packet, 16, 4)) & 0xffffff) - 1;
        syswrite($tuns[$node], $packet) if $node >= 0 and $node < @tuns;
        $now = now();
        push @late, ($now - $due) / 1e3;
    }
    tell_lateness() if @late >= $LATE_AT_ONCE;
}

# From the nodes. What is not IPv4, such as router solicitations, goes nowhere.
sub collect {
    my ($ready) = @_;
    my $stamp = pack('d<', now());
    my $out = '';
    for my $tun (@tuns) {
        next unless vec($ready, fileno $tun, 1);
        for (1 .. $PACKETS_AT_ONCE) {
            my $bytes = sysread($tun, my $packet, $PACKET_BYTES) or last;
            $out .= $stamp . $packet if ord($packet) >> 4 == 4;
        }
    }
    put($out);
}

sub tell_lateness {
    put(pack('d< C x n f<*', now(), 0, 4 + 4 * @late, @late));
    @late = ();
}

sub put {
    my ($bytes) = @_;
    while (length $bytes) {
        my $written = syswrite(STDOUT, $bytes) // exit;
        substr($bytes, 0, $written) = '';
    }
}

sub now {
    my $time = "\0" x 16;
    syscall($CLOCK_GETTIME, 1, $time);
    my ($seconds, $ns) = unpack('qq', $time);
    return $seconds * 1e9 + $ns;
}
