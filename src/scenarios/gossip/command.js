// The words of `gossip` in commands and help.
/** COMMAND is how the scenario is called and helped with. @type {Readonly<import('../index.js').CommandText>} */
export const COMMAND = {
  words: 'gossip',
  describe: 'Load-test a gossipsub network; account for every delivery',
  examples: /** @type {[string, string][]} */ ([
    ['100 messages to 30 nodes', 'gossip'],
    [
      'the topology of the 95-node study, 20 s long',
      'gossip --nodes 95 --topology barabasi-albert:m=6,seed=42,networkx=2.4 --preset study-2019 --duration 20s'
    ],
    ['links that take no time: all times are work of this machine', 'gossip --linkLatency 0'],
    [
      'a minute of warm-up, whatever the mesh does, and one node that publishes',
      'gossip --warmup 60s --publishers node:3'
    ],
    [
      'floodsub, which sends everything to everybody, on WebSockets',
      'gossip --nodes 30 --pubsub floodsub --transport websocket --muxer yamux,mplex'
    ],
    [
      'every host publishes on one of three topics at its own random intervals',
      'gossip --nodes 20 --topics foo=0.7,bar=0.4,quix=0.8 --publishers every --interval 1s-3s --duration 20s'
    ],
    ['a network of your own', 'gossip --topology file:network.graphml'],
    [
      'zones, classes of nodes, topics and a script from a file, see docs/links.md',
      'gossip --network simulated --nodes 60 --networkFile benchmarks/networks/home-and-server.yaml --duration 40s'
    ],
    ['nodes that find each other at a rendezvous server', 'gossip --nodes 30 --topology rendezvous'],
    [
      'the same code in virtual time, with losses, and with two halves that are cut off for 5 s',
      'gossip --network simulated --nodes 30 --linkLatency 50ms --linkLoss 0.1% --upBandwidth 10MB/s --partition "hold@5s-10s:0-14|rest"'
    ],
    [
      'losses and bandwidths under the kernel’s own TCP, a network namespace for each node, without root',
      'gossip --network namespaces --nodes 24 --linkLatency 50ms --linkLoss 1% --upBandwidth 10MB/s'
    ],
    [
      'a container for each node, with a fifth of a core, and what each used in each phase',
      'gossip --network docker --nodes 20 --cpus 0.2'
    ],
    [
      'of 10 ephemeral nodes one is killed every 15s, and 5s later a new one takes its place; the other 20 publish',
      'gossip --nodes 30 --churn 10,every=15s,away=5s --topology random-degree:k=6 --rate 2/s --duration 5m'
    ],
    ['exit code 3 if something is lost', 'gossip --threshold "deliveryRatio >= 100%"']
  ]),
  epilogue:
    'Parameters of gossipsub have the names of its specification.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'
}
