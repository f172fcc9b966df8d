import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { readArguments } from '../../src/cli/command-line.js'
import { makePublications } from '../../src/load/publications.js'
import { arrivalsKind } from '../../src/plan/arrivals.js'
import { describePlan } from '../../src/scenarios/gossip/describe.js'
import { describePlan as operationsPlan } from '../../src/scenarios/rendezvous/describe.js'
import { makePlan, makePlanOf, planFlags, scenarioNamed } from '../scenarios.js'
import { planned } from './planned.js'

const FILES = Object.freeze({
  'day.csv': 'due,who\n0,a\n1,b\n4,c\n',
  'bad.txt': '1\n0\n',
  'a, b.txt': '1000\n'
})

/** @param {string} path */
function readText(path) {
  if (!Object.hasOwn(FILES, path)) throw Object.assign(new Error('none'), { code: 'ENOENT' })
  return FILES[/** @type {keyof typeof FILES} */ (path)]
}

const { read = () => assert.fail(), write } = arrivalsKind(readText)

/** @param {unknown} typed */
function arrivalsOf(typed) {
  const found = read(typed, z)
  assert.ok('value' in found, JSON.stringify(found))
  return /** @type {any} */ (found.value)
}

describe('arrivals', () => {
  /** @type {[unknown, object | string][]} */
  const good = [
    ['poisson', 'poisson'],
    ['ramp:to=500/s', { shape: 'ramp', toPerSecond: 500, spacing: 'constant' }],
    ['ramp:to=30000/min,spacing=poisson', { shape: 'ramp', toPerSecond: 500, spacing: 'poisson' }],
    ['steps:100/s, 0, 400', { shape: 'steps', ratesPerSecond: [100, 0, 400], spacing: 'constant' }],
    [
      'sine:amplitude=0.8,period=1m',
      { shape: 'sine', amplitude: 0.8, periodMs: 60_000, spacing: 'constant' }
    ],
    ['sine:', { shape: 'sine', amplitude: 0.5, periodMs: null, spacing: 'constant' }],
    [
      { shape: 'ramp', to: '5/s', spacing: 'poisson' },
      { shape: 'ramp', toPerSecond: 5, spacing: 'poisson' }
    ],
    [
      { shape: 'steps', rates: ['1/s', 2] },
      { shape: 'steps', ratesPerSecond: [1, 2], spacing: 'constant' }
    ]
  ]
  for (const [typed, expected] of good)
    it(`can be ${JSON.stringify(typed)}, and are written so that they are read again`, () => {
      assert.deepEqual(arrivalsOf(typed), expected)
      assert.deepEqual(arrivalsOf(write(arrivalsOf(typed))), expected)
    })

  for (const typed of [
    'replay:day.csv,unit=s,column=due,speed=2',
    'replay:a, b.txt',
    { shape: 'replay', path: 'a, b.txt' }
  ])
    it(`of a file can be ${JSON.stringify(typed)}`, () =>
      assert.deepEqual(arrivalsOf(write(arrivalsOf(typed))), arrivalsOf(typed)))

  it('of a file are all in the plan', () => {
    const { count, spanMs, gaps, path } = arrivalsOf('replay:day.csv,unit=s,column=due,speed=2')
    assert.deepEqual([count, spanMs, path], [3, 2000, 'day.csv'])
    assert.ok(gaps.length > 0)
  })

  /** @type {[unknown, RegExp][]} */
  const bad = [
    ['ramps', /^must be constant, poisson, ramp:to/],
    ['ramp', /where the ramp ends/],
    ['ramp:to=0/s', /a rate above 0/],
    ['ramp:to=5/s,spacing=even', /spacing that must be constant or poisson/],
    ['steps:', /not all 0/],
    ['steps:0,0', /not all 0/],
    ['steps:1,fast', /must list up to 1000 rates/],
    ['sine:amplitude=1.1', /amplitude from 0 to 1/],
    ['sine:period=9', /period with its unit/],
    ['replay:', /must name a file/],
    ['replay:none.txt', /cannot be read \(ENOENT\)/],
    ['replay:bad.txt', /cannot be replayed: line 2: 0 ms is before/],
    ['replay:day.csv,unit=s', /line 1: has several columns/],
    ['replay:day.csv,unit=h', /unit that must be ms or s/],
    ['replay:day.csv,column=due,speed=0', /speed that must be/],
    [7, /^must be constant/]
  ]
  for (const [typed, message] of bad)
    it(`cannot be ${JSON.stringify(typed)}`, () => {
      const found = read(typed, z)
      assert.ok('allowed' in found, JSON.stringify(found))
      assert.match(found.allowed, message)
    })
})

describe('a gossip network with arrivals', () => {
  const steps = { arrivals: 'steps:1/s,3/s', duration: '2s' }

  it('publishes as many messages as are due, and says so', () => {
    const { plan } = makePlanOf('gossip', steps)
    assert.ok(plan?.scenario === 'gossip')
    const { offsetNs } = makePublications(plan, [[0], [0]])
    assert.deepEqual(
      [...offsetNs],
      [0, 1, 1 + 1 / 3, 1 + 2 / 3].map(s => Math.round(s * 1e9))
    )
    assert.match(describePlan(plan).what, / at steps of 1\.00\/s, 3\.00\/s, spread over all nodes · /)
    assert.ok(!planFlags(plan).some(flag => flag.startsWith('--rate')))
  })

  /** @type {[Record<string, unknown>, RegExp][]} */
  const refused = [
    [{ ...steps, rate: 5 }, /sets when/],
    [{ arrivals: 'sine:', rate: 5 }, /needs --duration/],
    [{ arrivals: 'sine:', publishers: 'every', duration: '9s' }, /does not apply with --publishers every/]
  ]
  for (const [options, message] of refused)
    it(`of ${JSON.stringify(options)} is refused`, () =>
      assert.match(String(makePlanOf('gossip', options).problems?.[0].allowed), message))
})

describe('a plan with arrivals', () => {
  /** @type {[Record<string, unknown>, RegExp[]][]} */
  const refused = [
    [{ arrivals: 'ramp:to=5/s', rate: 1 }, [/--arrivals ramp:to=5\/s needs --duration/]],
    [{ arrivals: 'ramp:to=5/s', duration: '9s' }, [/--arrivals ramp:to=5\/s needs --rate/]],
    [
      { arrivals: 'steps:1,2', rate: 1, duration: '9s' },
      [/steps:1,2 sets when operations are due: leave out --rate/]
    ],
    [
      { arrivals: 'steps:1,2', duration: '9s', thinkTime: '1s' },
      [/--thinkTime 1s does not apply in the open model/]
    ],
    [{ rate: 1, thinkTime: '5s-1s' }, [/--thinkTime 5s-1s must be a time/]],
    [{ arrivals: 'steps:1,2', duration: '9s', inFlight: 4 }, [/--inFlight 4 does not apply with --rate/]],
    [
      { arrivals: 'ramp:to=9000/s', rate: 1000, duration: '1m', nClients: 2, registerMode: 'new' },
      [/makes 150,000 registrations by each client/]
    ],
    [
      { arrivals: 'steps:9000,1', duration: '1m', nClients: 2, registerMode: 'new' },
      [/--arrivals .* makes 135,015 registrations by each/]
    ]
  ]
  for (const [options, messages] of refused)
    it(`of ${JSON.stringify(options)} is refused`, () => {
      const { problems = [] } = makePlan(options)
      const lines = problems.map(({ flag, value, allowed }) => `${flag} ${value} ${allowed}`)
      assert.equal(lines.length, messages.length, lines.join('\n'))
      for (const [i, message] of messages.entries()) assert.match(lines[i], message)
    })

  /** @type {[string, Record<string, unknown>, string[], RegExp][]} */
  const made = [
    [
      'ramp',
      { rate: '1/s', arrivals: 'ramp:to=5/s', duration: '9s' },
      ['--rate 1/s', '--arrivals ramp:to=5/s'],
      / at 1\.00\/s rising to 5\.00\/s for /
    ],
    [
      'steps',
      { arrivals: 'steps:1/s,3/s,spacing=poisson', duration: '9s' },
      ['--arrivals steps:1/s,3/s,spacing=poisson'],
      / at steps of 1\.00\/s, 3\.00\/s \(poisson arrivals\) for /
    ],
    [
      'sine',
      { rate: 2, arrivals: 'sine:period=3s', duration: '9s' },
      ['--rate 2/s', '--arrivals sine:amplitude=0.5,period=3000ms'],
      / at 2\.00\/s ± 50\.0 % in waves of 3\.0 s for /
    ],
    [
      'thinkTime',
      { thinkTime: '50ms-150ms' },
      ['--thinkTime 50ms-150ms'],
      / clients that think for 50\.0–150 ms in /
    ]
  ]
  for (const [name, options, flags, words] of made)
    it(`says ${name} in flags that make it again, and in words`, async () => {
      const plan = planned(options)
      assert.match(operationsPlan(plan).what, words)
      const typed = planFlags(plan)
      for (const flag of flags) assert.ok(typed.includes(flag), typed.join(' '))
      const args = await readArguments(
        typed.join(' ').split(' '),
        [
          {
            name: 'rendezvous',
            ...scenarioNamed('rendezvous').command,
            options: scenarioNamed('rendezvous').options
          }
        ],
        { columns: 80, version: '1' }
      )
      assert.ok('options' in args)
      assert.deepEqual(planned(args.options), plan)
    })

  it('of steps has their mean as its rate', () =>
    assert.equal(planned({ arrivals: 'steps:1,2,6', duration: '9s' }).ratePerSecond, 3))
})
