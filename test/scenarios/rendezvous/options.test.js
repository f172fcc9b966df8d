import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readArguments } from '../../../src/cli/command-line.js'
import { formatFault, parseFault } from '../../../src/scenarios/rendezvous/options.js'
import { planned } from '../../plan/planned.js'
import { planFlags, scenarioNamed } from '../../scenarios.js'

describe('a fault', () => {
  /** @type {[unknown, object][]} */
  const good = [
    ['at=10s pause=2s', { kind: 'pause', atMs: 10_000, forMs: 2000, cpus: null }],
    ['pause = 500ms, at = 1m', { kind: 'pause', atMs: 60_000, forMs: 500, cpus: null }],
    ['at=10s kill', { kind: 'kill', atMs: 10_000, forMs: null, cpus: null }],
    ['at=10s restart=1s', { kind: 'restart', atMs: 10_000, forMs: 1000, cpus: null }],
    ['at=10s cpu=0.5 for=5s', { kind: 'cpu', atMs: 10_000, forMs: 5000, cpus: 0.5 }],
    ['server=2 at=20s kill', { kind: 'kill', atMs: 20_000, forMs: null, cpus: null, server: 2 }],
    ['at=0 cpu=2', { kind: 'cpu', atMs: 0, forMs: null, cpus: 2 }],
    [
      { at: '10s', pause: '2s' },
      { kind: 'pause', atMs: 10_000, forMs: 2000, cpus: null }
    ],
    [
      { at: '10s', kill: true },
      { kind: 'kill', atMs: 10_000, forMs: null, cpus: null }
    ]
  ]
  for (const [typed, fault] of good)
    it(`can be ${JSON.stringify(typed)}, and is written so that it is read again`, () => {
      const read = parseFault(typed)
      assert.ok('value' in read, JSON.stringify(read))
      assert.deepEqual([read.value, parseFault(formatFault(read.value))], [fault, read])
    })
})

describe('a plan with faults', () => {
  const load = { rate: '100/s', duration: '20s' }
  const cluster = { ...load, servers: 3, store: 'postgres' }

  it('has them in the order they come in, and says them in flags that make it again', async () => {
    const plan = planned({ ...load, fault: ['at=9s restart=1s', 'at=3s pause=1s'] })
    const actual = plan.faults.map(({ atMs }) => atMs)
    assert.deepEqual(actual, [3000, 9000])
    const flags = planFlags(plan).filter(flag => flag.startsWith('--fault'))
    assert.deepEqual(flags, ["--fault 'at=3000ms pause=1000ms'", "--fault 'at=9000ms restart=1000ms'"])
    const typed = [
      ...['--rate', '100/s', '--duration', '20s', '--fault', 'at=3s pause=1s', '--fault'],
      'at=9s restart=1s'
    ]
    const args = await readArguments(
      typed,
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

  it('may come once, as a single word of YAML', () =>
    assert.equal(planned({ ...load, fault: { at: '1s', kill: true } }).faults.length, 1))

  it('may be done to one server of several after another', () => {
    const fault = ['server=2 at=2s kill', 'server=1 at=5s restart=1s', 'server=3 at=9s kill']
    const plan = planned({ ...cluster, fault })
    const actual = plan.faults.map(({ server }) => server)
    assert.deepEqual(actual, [2, 1, 3])
  })

  it('of a closed load that leaves no registrations behind can be run', () =>
    assert.equal(
      planned({ duration: '20s', benchmarkType: 'DISCOVER', fault: 'at=1s kill' }).faults.length,
      1
    ))
})
