/** COMMAND is how the scenario is called and helped with. @type {Readonly<import('../scenario.js').CommandText>} */
export const COMMAND = {
  words: 'perf',
  describe:
    'Move bytes over libp2p (/perf/1.0.0) and over TCP, TLS and HTTP: rates, latency, handshakes, and what limits them',
  examples: /** @type {[string, string][]} */ ([
    [
      'upload, download, latency and handshakes of our own server, beside TCP, TLS, HTTP/1.1 and HTTP/2',
      'perf'
    ],
    ['a long way of 10 MB/s', 'perf --latency 25ms --bandwidth 10MB/s --size 32MiB'],
    [
      'both generations of libp2p, several muxers',
      'perf --stack libp2p-3,libp2p-2 --muxer yamux,mplex --measures upload,download'
    ],
    [
      'a window of Yamux that does not grow',
      'perf --window 256KiB --latency 25ms --streams 1 --measures upload,download'
    ],
    [
      'losses under the kernel’s own TCP, between network namespaces',
      'perf --network namespaces --latency 25ms --linkLoss 1%'
    ],
    ['how many connections a second', 'perf --measures handshakes --clients 4 --handshakeRate 50'],
    ['a server of your own', 'perf --target /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…'],
    ['as fast as this machine can', 'perf --bandwidth none --size 64MiB'],
    ['exit code 3 if it is too slow', 'perf --bandwidth none --threshold "download.rate > 50MB"']
  ]),
  epilogue:
    'What each figure means, and what limits it: docs/perf.md. A server to measure on another machine: server --perf.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'
}
