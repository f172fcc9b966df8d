// Help text of the command `transfer`: its description, examples and exit codes.

/** COMMAND is the command of the scenario. @type {Readonly<import('../index.js').CommandText>} */
export const COMMAND = {
  words: 'transfer',
  describe: 'Move files over libp2p, HTTP, TCP and TLS; say what limits them',
  examples: /** @type {[string, string][]} */ ([
    ['four protocols, two latencies, two bandwidths', 'transfer'],
    ['a confidence interval for each figure', 'transfer --repeats 8'],
    [
      'latencies and bandwidths of the source',
      'transfer --latencies 100ms,200ms,300ms --bandwidths 10M,1M,512kb'
    ],
    ['16 MiB at 40 ms each way', 'transfer --size 16MiB --latencies 40ms,zero=false --bandwidths none'],
    ['kernel TCP with loss, in namespaces', 'transfer --network namespaces --linkLoss 1%'],
    ['only two protocols, in complete Latin squares', 'transfer --protocols blocks,http --repeats 6'],
    [
      '50 files at once by 4 requestors',
      'transfer --concurrency 50 --requestors 4 --protocols blocks,http --size 256KiB'
    ],
    ['spans to a collector such as Jaeger', 'transfer --otlpEndpoint http://127.0.0.1:4318'],
    [
      'libp2p over WebSocket, compared with TCP',
      'transfer --measures upload,handshakes --protocols perf,tcp --transport websocket'
    ],
    ['exit code 3 if libp2p is too slow', 'transfer --threshold "factorToHttp.stream <= 5"']
  ]),
  epilogue:
    'Method and limits: docs/transfer.md.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'
}
