import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operation, SERVER, sampleResult, summary, time } from './sample-result.js'
import { resultNotes } from './shown.js'

/** @typedef {Parameters<typeof sampleResult>[0]} Parts */

const CLOSED =
  'Response times in ms, closed model: each client waits for its reply before it sends again, so that they are clients ÷ throughput, and no latency at a load.'

const LOOKED_UP = { registrations: 60_000, drawn: 10_000, lookedUp: 10_000, problem: null }

/** @param {boolean} settled */
const warmUp = settled => ({ durationMs: 2000, operations: 800, lastMove: settled ? 0.04 : 0.3, settled })

/** A second of 200 operations. @param {number} second @param {number} micros */
const second = (second, micros) =>
  /** @type {any} */ ({ second, type: 'REGISTER', outcome: 'OK', histogram: [[micros, 200]] })

const DRIFTED = { code: 'NOT_STATIONARY', values: { type: 'REGISTER', firstMs: 3, lastMs: 2 } }

/** @type {[string, Parts, (string | RegExp)[]][]} */
const CASES = [
  [
    'that p50 had settled by the end of the warm-up',
    { outcome: { warmUp: warmUp(true) } },
    [CLOSED, /^–/, 'Warm-up: 2.0 s, 800 operations that are not counted; p50 had settled at its end.']
  ],
  [
    'so, too, where the measurement shows it',
    { outcome: { warmUp: warmUp(false), perSecond: [0, 1, 2].map(at => second(at, 1000)) } },
    [CLOSED, /^–/, 'Warm-up: 2.0 s, 800 operations that are not counted; p50 had settled at its end.']
  ],
  [
    'that it still moved, where the measurement is too short to tell',
    { outcome: { warmUp: warmUp(false) } },
    [CLOSED, /^–/, /; p50 still moved by 30\.0 % at its end/]
  ],
  [
    'nothing of that where a warning says that the run had not settled',
    { outcome: { warmUp: warmUp(true) }, warnings: [DRIFTED] },
    [CLOSED, /^–/, 'Warm-up: 2.0 s, 800 operations that are not counted.', /the run had not settled/]
  ],
  [
    'the load model and missing figures',
    {},
    [CLOSED, '– too few samples: a percentile needs 10 beyond it, CPU and memory 5 samples.']
  ],
  [
    'what the look-up of registrations proves',
    { outcome: { lookUp: { ...LOOKED_UP, missing: 0, interval: { low: 0, high: 0.00029953 } } } },
    [
      CLOSED,
      /^–/,
      'Registrations looked up at the end, drawn from 60,000: 0 of 10,000 missing: fewer than 0.03 % at 95 %.'
    ]
  ],
  [
    'within what the share that is missing lies',
    {
      outcome: {
        lookUp: {
          ...LOOKED_UP,
          registrations: 10_000,
          missing: 12,
          interval: { low: 0.000687, high: 0.0021 }
        }
      }
    },
    [CLOSED, /^–/, 'Registrations looked up at the end: 12 of 10,000 missing: 0.069 to 0.21 % at 95 %.']
  ],
  [
    'that nothing could be looked up, for all may have expired',
    { outcome: { lookUp: { ...LOOKED_UP, lookedUp: 0, missing: 0, interval: null } } },
    [CLOSED, /^–/, 'Registrations looked up at the end: none, for all may have expired.']
  ],
  [
    'nothing of what could not be looked up: that is a warning',
    { outcome: { lookUp: { ...LOOKED_UP, lookedUp: 0, missing: 0, interval: null, problem: 'it said no' } } },
    [CLOSED, /^–/]
  ],
  [
    'the open model with its rate',
    { options: { rate: '500/s', arrivals: 'poisson' } },
    [/^Response times in ms, open model: operations are due at 500\/s \(poisson arrivals\)/, /^–/]
  ],
  [
    'that the result is partial, first of all',
    {
      result: {
        status: 'partial',
        reason: { code: 'SERVER_DIED', message: 'the server ended with signal SIGKILL' }
      }
    },
    ['Partial result: the server ended with signal SIGKILL', CLOSED, /^–/]
  ],
  [
    'only why there is none, when nothing was measured',
    { result: { status: 'partial' }, outcome: { operations: {} } },
    ['Partial result: the run did not end']
  ],
  [
    'what the marks mean',
    {
      outcome: {
        operations: {
          REGISTER: operation({
            all: summary(20_000, {
              p999: time(30, { doubtful: true }),
              max: time(10_000, { censored: true })
            }),
            throughputIsLowerBound: true
          })
        }
      }
    },
    [
      CLOSED,
      '* doubtful: the load generator itself added more than a tenth of this time.',
      '≥ lower bound: the load generator was more than 90 % busy and could not send more.',
      '> at least: operations without a reply reach into this figure.'
    ]
  ],
  [
    'what ended without success, by outcome',
    {
      outcome: {
        operations: {
          REGISTER: operation({ errors: 1003, outcomes: { OK: 5, TIMEOUT: 1000, E_UNAVAILABLE: 3, LOST: 0 } })
        }
      }
    },
    [CLOSED, /^–/, 'REGISTER without success: 1,000 TIMEOUT, 3 E_UNAVAILABLE.']
  ],
  [
    'how UNREGISTER is timed',
    { options: { benchmarkType: 'UNREGISTER' }, outcome: { operations: { UNREGISTER: operation() } } },
    [CLOSED, /^–/, /^UNREGISTER has no reply in the protocol: timed until the reply to a DISCOVER of limit 1/]
  ],
  [
    "the server's own times, with their counts",
    {
      outcome: {
        server: {
          ...SERVER,
          memoryCountedAs: null,
          durations: /** @type {any} */ ({ REGISTER: summary(12_000), DISCOVER: summary(0) })
        }
      }
    },
    [
      CLOSED,
      /^–/,
      "The server's own time for REGISTER, from decoded request to reply handed over: p50 15.0 ms, p99 26.0 ms, max 26.0 ms (12,000 operations)."
    ]
  ],
  [
    'bytes per reply, CPU per operation, registrations and changed settings',
    {
      outcome: {
        operations: { DISCOVER: operation({ bytesPerReply: 5123.4, serverCpuMicrosPerOperation: 181.6 }) },
        registrations: { before: 100, after: 100, namespaces: 5 },
        target: {
          kind: 'process',
          chosenBy: null,
          container: null,
          multiaddr: null,
          settings: {
            server: { maxPeerRegistrations: 5000 },
            clients: { 'services.identify': { value: null, why: 'none is needed' } }
          }
        }
      }
    },
    [
      CLOSED,
      /^–/,
      'Server CPU per DISCOVER: 182 µs.',
      'Bytes per reply: DISCOVER 5,123.',
      'Registrations on the server: 100 before in 5 namespaces, 100 after.',
      'Set other than the defaults (values in result.json, outcome.target.settings): server maxPeerRegistrations; clients services.identify.'
    ]
  ],
  [
    'each warning in words, and one of a later version by its code',
    {
      warnings: [
        { code: 'GENERATOR_BUSY', values: { utilization: 0.974, worker: 0 } },
        { code: 'FROM_THE_FUTURE', values: { x: 1 } }
      ]
    },
    [CLOSED, /^–/, /^⚠ Worker 0 of the load generator was 97 % busy/, '⚠ FROM_THE_FUTURE {"x":1}']
  ]
]

describe('under the table stands', () => {
  for (const [what, parts, expected] of CASES) {
    test(what, () => {
      const server = { ...SERVER, memoryCountedAs: null } // see server-notes.test.js
      const notes = resultNotes(sampleResult({ ...parts, outcome: { server, ...parts?.outcome } }))
      assert.equal(notes.length, expected.length, notes.join('\n'))
      expected.forEach((line, i) => {
        if (typeof line === 'string') assert.equal(notes[i], line)
        else assert.match(notes[i], line)
      })
    })
  }
})
