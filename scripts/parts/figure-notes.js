// What each figure means and how it misleads, for docs/figures.md. Keys are names as in the list there: `*` stands for average, percentiles and
// maximum, `TYPE` for a type of operation, `PROTOCOL` for a protocol of transfer. Neighbours with the same words share a row.

const PEERS = 'With `publish` in `--mix`: as in gossip; `delivery` is its `latency`.'
const JAIN =
  'Jain’s index: 1 is equal shares, 1/n is one client with all. An open load that all succeeds gives 1.'
const PER_DELIVERY = 'Per delivery. High at low rates: heartbeats continue between messages.'
const OF_NODES = 'Average or largest of nodes that are alone in a process or container, while publishing.'

/** FIGURE_NOTES are the notes by scenario and name. An empty note: the figure is listed with an earlier scenario. @type {Record<string, Record<string, string>>} */
export const FIGURE_NOTES = {
  rendezvous: {
    throughput: '`OK` operations ÷ measured time. A lower bound if generator-limited.',
    errorRate: 'Operations that are not `OK`. Operations interrupted by the end are left out.',
    lost: 'Operations without a reply. One makes average and maximum lower bounds.',
    count: 'Operations measured.',
    p50: 'Response time of all types of request together.',
    p99: 'Response time of all types of request together.',
    cpu: 'Server CPU ÷ operations with a reply, errors too. With `TYPE`: only if one type ran alone.',
    'cpu.': '100 % is one core. Samples last 50 ms. A server at its `--cpus` limit shows in p99 first.',
    'memory.':
      'Process: resident set, which Node shrinks late. Container: no page cache. Never compare the two.',
    routerPackets: 'With namespaces, also in gossip and transfer: packets per second.',
    'routerLateness.p99': 'With namespaces, also in gossip and transfer: p99 of how late packets left.',
    routerCpuPerPacket: 'With namespaces, also in gossip and transfer: CPU per packet.',
    'TYPE.*': 'Response time; lost operations count at the time waited. Closed model: grows with clients.',
    'TYPE.*.overhead': 'Client overhead at that percentile.',
    'TYPE.received': 'Bytes of reply messages per second, not bytes on the wire.',
    'TYPE.errors': 'Operations that are not `OK`.',
    missing: 'Confirmed registrations that the look-up did not find. 0 of n looked up: below 3/n.',
    'fairness.clients': JAIN,
    'fairness.types': JAIN,
    'fairness.providers': JAIN,
    'fairness.discoverers': JAIN,
    published: PEERS,
    expected: PEERS,
    delivered: PEERS,
    deliveryRatio: PEERS,
    completeRatio: PEERS,
    'delivery.*': PEERS,
    'delivery.*.overhead': PEERS,
    'dissemination.*': PEERS,
    'dissemination.*.overhead': PEERS,
    'lastHop.avg': PEERS,
    duplicatesPerDelivery: PEERS,
    bytesPerDelivery: PEERS,
    staleShare: 'Records of killed peers in DISCOVER replies. Depends on `--ttl`.',
    'staleShare.withoutDuplicates': 'The same, each registration once per discoverer.',
    overdue: 'Registrations in a reply to a DISCOVER sent after they expired.',
    'visibleDelay.*':
      'From a REGISTER reply to the first DISCOVER reply with it. Contains the wait for that DISCOVER.',
    'firstDiscovery.*': 'From a peer’s start to its first record of a living peer.',
    'hostile.ratio.':
      'Response time with hostile peers ÷ without. Needs 6 pairs of stretches for an interval.',
    'hostile.ratio.p99.high': 'Upper end of its 95 % interval.',
    'hostile.errors': 'Operations that failed with hostile peers.',
    'hostile.recovery': 'Time until operations are as fast as before. Over 30 s: a lower bound.',
    'hostile.longestTurn': 'Longest turn of the server’s event loop with hostile peers.',
    'hostile.heap.left': 'Server memory afterwards, in % of before.',
    'hostile.external.left': 'Server memory afterwards, in % of before.',
    'hostile.memory.added': 'Resident memory with hostile peers − without.',
    'staleness.*': 'From a REGISTER reply to its first sight at another server. Contains one DISCOVER.'
  },
  gossip: {
    published: 'Messages published.',
    skipped: 'Not published: write buffers were over `--maxBacklog`. Expected nowhere.',
    failed: 'Refused by the library, or due at an absent node. Expected nowhere.',
    expected: 'Deliveries to subscribers other than the publisher. With `--churn`: settled nodes only.',
    delivered: 'Expected deliveries received.',
    deliveryRatio: 'Delivered ÷ expected. 99.99 % can still mean one incomplete message.',
    completeRatio: 'Messages that reached every subscriber.',
    'latency.*':
      'Publish call to first receipt; missing deliveries at the time waited. A late publish call does not show.',
    'latency.*.overhead':
      'Waits at the nodes on the way. Not with `--validation delay=…`, `--stack libp2p-2`, simulated.',
    'dissemination.*': 'Publish call to the last receipt. p99 needs 1,000 messages.',
    'dissemination.*.overhead': 'How much sooner the last delivery would have come.',
    'lastHop.': 'Hops of the copy delivered last. Follows first receipts, not shortest paths.',
    duplicatesPerDelivery: 'Further copies of known messages.',
    bytesPerDelivery: 'Bytes of RPCs before encryption and multiplexing.',
    rpcsPerDelivery: PER_DELIVERY,
    controlPerDelivery: PER_DELIVERY,
    cpuPerDelivery: 'CPU of workers: nodes, this tool, garbage collection.',
    cpu: 'All workers. 100 % is one core.',
    memory: 'Resident sets of workers, added up.',
    'memory.max': 'Resident sets of workers, added up.',
    meshFormedAfter: 'From the end of dialling until the mesh formed.',
    'dialling.p50': 'Time of a dial.',
    routerPackets: '',
    'routerLateness.p99': '',
    routerCpuPerPacket: '',
    'node.cpu': OF_NODES,
    'node.cpu.max': OF_NODES,
    'node.memory': OF_NODES,
    'node.memory.max': OF_NODES,
    'node.received': OF_NODES,
    'node.sent': OF_NODES,
    abortedStreams: 'Outbound streams that gossipsub gave up.'
  },
  transfer: {
    failedTransfers: 'Transfers that are not `OK`.',
    'total.PROTOCOL': 'Median time of a transfer.',
    'slowest.PROTOCOL': 'Slowest transfer.',
    'firstByte.PROTOCOL': 'Median time to the first byte. Contains protocol negotiation of a new stream.',
    'wait.PROTOCOL': 'Slowest wait of a request for its turn at the provider.',
    'goodput.PROTOCOL': 'Payload per requestor ÷ its time.',
    'factorToHttp.PROTOCOL':
      'Time ÷ time of http in the same repeat. Median of ratios, not ratio of medians.',
    'wirePerByte.PROTOCOL': 'Socket bytes of both directions, below encryption, ÷ payload.',
    'providerCpu.PROTOCOL': 'CPU ÷ payload.',
    'requestorCpu.PROTOCOL': 'CPU ÷ payload.',
    'fairness.PROTOCOL': 'Jain’s index of requestors.',
    'upload.rate': 'Payload per second.',
    'upload.overhead': 'Time ÷ time of plain TCP.',
    'download.rate': 'Payload per second.',
    'download.overhead': 'Time ÷ time of plain TCP.',
    'latency.median': 'New stream, one byte each way.',
    'handshakes.rate': 'Handshakes per second.',
    'handshakes.median': 'From due until done. Failed ones can make it a lower bound.',
    'handshakes.failed': 'Handshakes that failed.',
    routerPackets: '',
    'routerLateness.p99': '',
    routerCpuPerPacket: ''
  }
}
