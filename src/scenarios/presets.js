// Preset commands (`perf`, `profile`): each is an existing scenario with other default options.
import { PROGRAM } from '../kit/runtime.js'

/**
 * @typedef {import('../plan/options.js').Option} Option
 * @typedef {import('./index.js').CommandText} CommandText
 *
 * @typedef {object} Preset - a command that is a scenario with other defaults
 * @property {'gossip' | 'transfer'} scenario
 * @property {Readonly<CommandText>} command
 * @property {Readonly<Record<string, string | Partial<Option>>>} defaults - by option: its default as typed, or other changes of the
 *   option
 */

/** PRESETS by the word of their command. @type {Readonly<Record<string, Readonly<Preset>>>} */
export const PRESETS = {
  perf: {
    scenario: 'transfer',
    command: {
      words: 'perf',
      describe: 'transfer of zeros: rates, latency, handshakes',
      examples: [
        ['our provider, compared with TCP, TLS and HTTP', 'perf'],
        ['25 ms and 10 MB/s', 'perf --latencies 25ms --bandwidths 10MB --size 32MiB'],
        [
          'both generations of libp2p, several muxers',
          'perf --stack libp2p-3,libp2p-2 --muxer yamux,mplex --measures upload,download'
        ],
        [
          'a fixed Yamux window',
          'perf --window 256KiB --latencies 25ms --streams 1 --measures upload,download'
        ],
        ['kernel TCP with loss, in namespaces', 'perf --network namespaces --latencies 25ms --linkLoss 1%'],
        ['connections per second', 'perf --measures handshakes --clients 4 --handshakes rate=50'],
        ['your own server', 'perf --target /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…'],
        ['the maximum of this machine', 'perf --bandwidths none --size 64MiB'],
        ['exit code 3 if too slow', 'perf --bandwidths none --threshold "download.rate > 50MB"']
      ],
      epilogue:
        'transfer with other defaults: docs/transfer.md. Server for another machine: server --perf.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'
    },
    // even slow machines can fill this line, so that libp2p is measured, not the machine
    defaults: {
      measures: {
        default: 'upload,download,latency,handshakes',
        defaultText: 'upload,download,latency,handshakes'
      },
      protocols: { defaultText: 'perf,tcp,tls,http,http2; with --target perf' },
      size: '4MiB',
      latencies: 'none',
      noLatencyCase: 'false',
      bandwidths: '20MB',
      unlimitedBandwidthCase: 'false',
      streams: { common: true },
      target: { common: true },
      repeats: { default: '6', defaultText: '6' }
    }
  },
  profile: {
    scenario: 'gossip',
    command: {
      words: 'profile',
      describe: 'gossip with a CPU profile of its processes',
      examples: [
        ['until Ctrl-C', 'profile'],
        [
          'the profiling study, at its own pace',
          'profile --nodes 100 --publishers every,interval=100ms-300ms --duration 20s'
        ],
        [
          'cost of signatures',
          `profile --duration 20s --signing off\n  ${PROGRAM} compare results/20261120-0712-gossip-1 results/20261120-0714-gossip-1`
        ],
        ['large messages over mplex', 'profile --duration 20s --messageBytes 8192-16384 --muxer mplex'],
        [
          'cost of an open load',
          'profile --topology barabasi-albert --publishers random --rate 3/s --duration 20s'
        ]
      ],
      epilogue:
        'gossip --profile, scaled to this machine: 30 nodes (study: 100), intervals × 16 ÷ cores. Browsers and speedscope open the .cpuprofile files: docs/gossip.md.\nExit codes: 0 done (also by Ctrl-C without --duration), 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'
    },
    // topics and degrees of the study, in a network that takes half of a machine
    defaults: {
      profile: 'cpu',
      nodes: '30',
      // emulated delays would add CPU time
      linkLatency: '0',
      topology: 'random-degree:k=10',
      topics: 'foo=0.7,bar=0.4,quix=0.8',
      duration: { describe: 'duration of publishing (default: until Ctrl-C)' },
      publishers: 'every',
      interval: {
        default: undefined,
        defaultText: '100ms-300ms, scaled to the machine',
        describe:
          'time between messages of a node, with --publishers every. Default: that of the study, longer with fewer cores (30 nodes on 2 cores: 800ms-2400ms)'
      },
      loadModel: 'closed',
      messageBytes: '10',
      maxBacklog: '16KiB',
      cooldown: '10s'
    }
  }
}

/**
 * makePresetOptions makes the options of a scenario with the defaults of a preset.
 *
 * @param {import('../plan/plan.js').OptionTable} options - of its scenario
 * @param {Preset} preset
 * @returns {import('../plan/plan.js').OptionTable}
 */
export const makePresetOptions = (options, { defaults }) => ({
  ...options,
  ...Object.fromEntries(
    Object.entries(defaults).map(([key, other]) => [
      key,
      { ...options[key], ...(typeof other === 'string' ? { default: other } : other) }
    ])
  )
})

/**
 * makePresetScenario makes a scenario with the defaults of a preset. Its plans are plans of the original scenario.
 *
 * @param {import('./index.js').Scenario} scenario
 * @param {Preset} preset
 * @returns {import('./index.js').Scenario}
 */
export const makePresetScenario = (scenario, preset) => ({
  ...scenario,
  command: preset.command,
  options: makePresetOptions(scenario.options, preset)
})

/**
 * addPresets adds the scenarios that presets make.
 *
 * @param {readonly import('./index.js').Scenario[]} scenarios
 * @returns {import('./index.js').Scenario[]}
 */
export const addPresets = scenarios => [
  ...scenarios,
  ...Object.values(PRESETS).flatMap(preset =>
    scenarios.filter(({ name }) => name === preset.scenario).map(each => makePresetScenario(each, preset))
  )
]

/** readCommandWord is the command of a scenario or preset. @param {import('./index.js').Scenario} scenario */
export const readCommandWord = ({ name, command }) => command?.words || name
