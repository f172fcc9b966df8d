/** COMMAND is how the scenario is called and helped with. @type {Readonly<import('../scenario.js').CommandText>} */
export const COMMAND = {
  words: 'profile',
  describe: 'Profile a busy gossipsub network: what its processes spend their CPU time on',
  examples: /** @type {[string, string][]} */ ([
    ['the network of the profiling study, until Ctrl-C', 'profile'],
    ['for 20 s', 'profile --duration 20s'],
    [
      'signatures left out, and what that changes',
      'profile --duration 20s --signing off\n  node index.js compare results/20261120-0712-profile-1 results/20261120-0714-profile-1'
    ],
    ['large messages over mplex', 'profile --duration 20s --messageBytes 8192-16384 --muxer mplex'],
    ['one of two worker processes alone', 'profile --duration 20s --workers 2 --profileWorkers 0'],
    [
      'what an open load of 5 messages/s costs',
      'profile --nodes 95 --topology barabasi-albert --publishers random --rate 5/s --duration 20s'
    ]
  ]),
  epilogue:
    'Hot spots are in the report, with a flame graph; the .cpuprofile files beside it open in the developer tools of browsers and in speedscope. More: docs/profile.md.\nExit codes: 0 done (also when Ctrl-C ended a run without --duration), 1 the run failed, 2 bad usage, 3 a threshold failed, 4 doubtful with --strict, 130 interrupted.'
}
