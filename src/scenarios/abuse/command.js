/** COMMAND is how the scenario is called and helped with. @type {Readonly<import('../scenario.js').CommandText>} */
export const COMMAND = {
  words: 'abuse',
  first: 'kinds',
  describe:
    'Run hostile peers beside honest clients of a rendezvous server, and say what they cost: latency, errors, memory, time to recover',
  examples: /** @type {[string, string][]} */ ([
    ['every kind of abuse at its own rate, some 20 minutes', 'abuse'],
    ['two kinds, one of them at ten times its rate', 'abuse requests,frames×10'],
    ['the same without the name of a command', '--abuse requests,frames×10'],
    ['a look, with too few pairs for an interval', 'abuse slow --pairs 2 --stretch 2s --warmup 2s'],
    ['at its own rate and at ten times it', 'abuse handshakes,handshakes×10'],
    [
      'a server of your own on another host',
      'abuse requests,unread --target /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW… --iOwnTheTarget'
    ],
    ['exit code 3 if honest clients wait twice as long', 'abuse --threshold "ratio.p99.high < 2"']
  ]),
  epilogue:
    'The kinds, and what each figure means: docs/security.md. Our own server has its limits for everybody here, honest clients too.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'
}
