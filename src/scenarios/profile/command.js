import { PROGRAM } from '../../kit/program.js'
/** COMMAND is how the scenario is called and helped with. @type {Readonly<import('../scenario.js').CommandText>} */
export const COMMAND = {
  words: 'profile',
  describe: 'Profile a gossipsub network: what its processes spend their CPU time on',
  examples: /** @type {[string, string][]} */ ([
    ['until Ctrl-C', 'profile'],
    [
      'the network of the profiling study at its own pace for 20 s, as busy as this machine can make it',
      'profile --nodes 100 --interval 100ms-300ms --duration 20s'
    ],
    [
      'signatures left out, and what that changes',
      `profile --duration 20s --signing off\n  ${PROGRAM} compare results/20261120-0712-profile-1 results/20261120-0714-profile-1`
    ],
    ['large messages over mplex', 'profile --duration 20s --messageBytes 8192-16384 --muxer mplex'],
    [
      'what an open load of 3 messages/s costs',
      'profile --topology barabasi-albert --publishers random --rate 3/s --duration 20s'
    ]
  ]),
  epilogue:
    'Scaled to this machine: 30 nodes instead of the 100 of the profiling study, and the 100 to 300 ms between their messages 16 ÷ cores times as long (--nodes, --interval).\nHot spots are in the report, with a flame graph; the .cpuprofile files beside it open in the developer tools of browsers and in speedscope. More: docs/profile.md.\nExit codes: 0 done (also when Ctrl-C ended a run without --duration), 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'
}
