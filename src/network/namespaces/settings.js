/**
 * NAMESPACE_SETTINGS lists what namespaces have other than the kernel's defaults, with the reason; for the result.
 *
 * @type {Readonly<Record<string, Readonly<{ value: unknown, why: string }>>>}
 */
export const NAMESPACE_SETTINGS = {
  'addresses.listen': {
    value: ['/ip4/10.x.y.z/tcp/4001'],
    why: 'each node has an address in a network namespace of its own'
  },
  'net.ipv4.tcp_no_metrics_save': {
    value: 1,
    why: 'a connection must not begin with what an earlier one learned; where /proc/sys can be written'
  },
  'process.priority': {
    value: 'nice 5',
    why: 'the router comes first, where it wants a core and nodes do too'
  },
  'tun0.mtu': { value: 1500, why: 'as on Ethernet: a packet is what the links lose and carry' },
  'tun0.txqueuelen': { value: 4000, why: 'a burst of a node must not be lost on its own device' }
}
