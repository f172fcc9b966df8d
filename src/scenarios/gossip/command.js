// Help text of the command `gossip`: its description, examples and exit codes.
/** COMMAND is how the scenario is called and helped with. @type {Readonly<import('../index.js').CommandText>} */
export const COMMAND = {
  words: 'gossip',
  describe: 'Load-test a gossipsub network; account for every delivery',
  examples: /** @type {[string, string][]} */ ([
    ['100 messages to 30 nodes', 'gossip'],
    [
      'topology of the 95-node study, 20 s',
      'gossip --nodes 95 --topology barabasi-albert:m=6,seed=42,networkx=2.4 --preset study-2019 --duration 20s'
    ],
    ["no latency: only this machine's work", 'gossip --linkLatency 0'],
    ['exact warm-up, one publisher', 'gossip --warmup 60s --publishers node:3'],
    [
      'floodsub on WebSockets',
      'gossip --nodes 30 --pubsub floodsub --transport websocket --muxer yamux,mplex'
    ],
    [
      'every node publishes, at random intervals',
      'gossip --nodes 20 --topics foo=0.7,bar=0.4,quix=0.8 --publishers every,interval=1s-3s --duration 20s'
    ],
    ['your own topology', 'gossip --topology file:network.graphml'],
    [
      'zones, node classes, topics and a script',
      'gossip --network simulated --nodes 60 --networkFile benchmarks/networks/home-and-server.yaml --duration 40s'
    ],
    ['nodes find each other by rendezvous', 'gossip --nodes 30 --topology rendezvous'],
    [
      'simulated, with loss and a 5 s partition',
      'gossip --network simulated --nodes 30 --linkLatency 50ms --linkLoss 0.1% --upBandwidth 10MB/s --partition "hold@5s-10s:0-14|rest"'
    ],
    [
      'kernel TCP with loss, without root',
      'gossip --network namespaces --nodes 24 --linkLatency 50ms --linkLoss 1% --upBandwidth 10MB/s'
    ],
    ['a container per node, 0.2 cores each', 'gossip --network docker --nodes 20 --cpus 0.2'],
    [
      'every 15s one of 10 nodes is replaced',
      'gossip --nodes 30 --churn 10,every=15s,away=5s --topology random-degree:k=6 --rate 2/s --duration 5m'
    ],
    ['exit code 3 if deliveries are missing', 'gossip --threshold "deliveryRatio >= 100%"']
  ]),
  epilogue:
    'Gossipsub parameters have the names of the specification.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'
}
