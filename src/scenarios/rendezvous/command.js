// Help text of the default command, which load-tests a rendezvous server: its description, examples and exit codes.
/** RENDEZVOUS_COMMAND holds the help text of the scenario. @type {Readonly<import('../index.js').CommandText>} */
export const RENDEZVOUS_COMMAND = {
  words: '',
  describe: 'Load-test a rendezvous server (the default)',
  examples: /** @type {[string, string][]} */ ([
    ['10 s of REGISTER by 4 clients', ''],
    ['a larger run', '--nClients 100 --initialRegistrations 10000 --nNamespaces 10 --benchmarkRuns 1000'],
    ['open model: 500 DISCOVER per second', '--benchmarkType DISCOVER --rate 500/s --duration 30s'],
    ['mixed operations', '--mix register=1,discover=8,unregister=1'],
    ['full peers: rendezvous and gossipsub', '--mix register=1,discover=8,publish=4 --nClients 20'],
    ['hostile peers in every other stretch', '--hostile frames=10 --benchmarkType DISCOVER --rate 200/s'],
    ['a connection for each operation', '--connectionPerOperation --timeout 5s'],
    ['your own server', '--target /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…'],
    ['exit code 3 if too slow', '--benchmarkType DISCOVER --threshold "DISCOVER.p99 < 50ms"'],
    [
      'kernel TCP with latency and loss',
      '--network namespaces --nClients 8 --linkLatency 25ms --linkLoss 1%'
    ],
    [
      'abort on errors, export metrics',
      '--threshold "errorRate < 5%, abortOnFail, grace=5s" --prometheus 9464'
    ],
    ['options from a file, append a row', '--config load.yaml --outputFile results.md']
  ]),
  epilogue:
    'Option names can be written nClients or n-clients.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold or a comparison failed, 4 generator-limited with --strict, 130 interrupted.'
}
