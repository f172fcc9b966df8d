// The help of the rendezvous scenario.
/** RENDEZVOUS_COMMAND holds the help text of the scenario. @type {Readonly<import('../index.js').CommandText>} */
export const RENDEZVOUS_COMMAND = {
  words: '',
  describe: 'Load-test a rendezvous server (the default)',
  examples: /** @type {[string, string][]} */ ([
    ['10 s of REGISTER by 4 clients', ''],
    ['a larger run', '--nClients 100 --initialRegistrations 10000 --nNamespaces 10 --benchmarkRuns 1000'],
    [
      'open model: a DISCOVER is due 500 times a second',
      '--benchmarkType DISCOVER --rate 500/s --duration 30s'
    ],
    ['several operations', '--mix register=1,discover=8,unregister=1'],
    [
      'peers that find one another, and publish by gossipsub too',
      '--mix register=1,discover=8,publish=4 --nClients 20'
    ],
    [
      'hostile peers beside the clients, in every other stretch',
      '--hostile frames=10 --benchmarkType DISCOVER --rate 200/s'
    ],
    ['connect, one operation, close', '--connectionPerOperation --timeout 5s'],
    ['a server of your own', '--target /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…'],
    ['exit code 3 if it is too slow', '--benchmarkType DISCOVER --threshold "DISCOVER.p99 < 50ms"'],
    [
      'latency and losses under the kernel’s own TCP, each client in a network namespace',
      '--network namespaces --nClients 8 --linkLatency 25ms --linkLoss 1%'
    ],
    [
      'ended as soon as too much fails, and watched from outside',
      '--threshold "errorRate < 5%, abortOnFail, grace=5s" --prometheus 9464'
    ],
    ['options from a file, a row for a table', '--config load.yaml --outputFile results.md']
  ]),
  epilogue:
    'Option names can be written nClients or n-clients.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold or a comparison failed, 4 generator-limited with --strict, 130 interrupted.'
}
