import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { describeNamespaceProblem } from '../../../src/network/namespaces.js'
import { findSizeProblem, NAMESPACE_RULES } from '../../../src/scenarios/network-options.js'
import { makePlanOf } from '../../scenarios.js'

const NAMESPACES = Object.freeze({ network: 'namespaces', nodes: '10', linkLatency: '50ms' })
const SKIP = { skip: describeNamespaceProblem() ?? false }

/** @param {Record<string, unknown>} options */
const problemsOf = options => makePlanOf('gossip', { ...NAMESPACES, ...options }).problems ?? []

describe('a network of namespaces', SKIP, () => {
  test('takes every impairment of the simulated network, with a process for each node and the same jitter', () => {
    const options = {
      ...{ linkLatency: 'lognormal:50ms,20ms', linkLoss: '1%', linkBandwidth: '5MB/s' },
      ...{ upBandwidth: '10MB/s', downBandwidth: '20MB/s', partition: 'hold@1s-2s:0-4|rest' },
      churn: '5%/min'
    }
    const plans = ['namespaces', 'simulated'].map(
      network => makePlanOf('gossip', { ...NAMESPACES, ...options, network }).plan
    )
    const [{ workers, network, ...own }, { workers: _, network: __, ...simulated }] = /** @type {any[]} */ (
      plans
    )
    assert.deepEqual([network, workers, own], ['namespaces', 10, simulated])
    assert.deepEqual(own.linkJitter, { kind: 'share', share: 0.01 })
  })

  /** @type {[string, Record<string, string>][]} */
  const others = [
    ['profile', { nodes: '10', topology: 'ring' }],
    ['gossip', { nodes: '10', topology: 'ring', churn: '4,every=5s,away=2s', duration: '1m' }]
  ]
  for (const [name, options] of others)
    test(`is there for ${name} too, with --churn`, () => {
      const { plan, problems } = makePlanOf(name, { ...options, network: 'namespaces', linkLatency: '5ms' })
      assert.equal(problems, undefined)
      const { workers, linkLatencyMs } = /** @type {any} */ (plan)
      assert.deepEqual([workers, linkLatencyMs], [10, 5])
      const [{ allowed }] = makePlanOf(name, { ...options, network: 'simulated' }).problems ?? []
      assert.match(
        allowed,
        /must be loopback, namespaces or docker|applies to nodes on real TCP without churn|supported on real TCP only/
      )
    })

  test('congestion control stands in the plan', () => {
    const { plan } = makePlanOf('gossip', { ...NAMESPACES, congestionControl: 'reno' })
    assert.equal(/** @type {any} */ (plan).congestionControl, 'reno')
  })

  /** @type {[Record<string, unknown>, string, RegExp][]} */
  const refused = [
    [
      { workers: '5' },
      '--workers',
      /^must be --nodes 10 with --linkLatency: nodes that share a namespace bypass every impairment$/
    ],
    [{ workers: '5', linkLatency: '0', upBandwidth: '1MB/s' }, '--workers', /with --upBandwidth/],
    [{ topology: 'rendezvous:k=3' }, '--topology', /the server is outside/],
    [{ congestionControl: 'nonesuch' }, '--congestionControl', /^must be host or one of .*reno/],
    [
      { congestionControl: 'a b' },
      '--congestionControl',
      /^must be host, or a congestion control of the kernel by its name/
    ],
    [{ sendQueue: '32' }, '--sendQueue', /^needs --network simulated: js-libp2p has no such queue$/]
  ]
  for (const [options, flag, allowed] of refused)
    test(`${JSON.stringify(options)} is refused`, () => {
      const [problem, ...more] = problemsOf(options)
      assert.equal(problem?.flag, flag)
      assert.match(problem.allowed, allowed)
      assert.deepEqual(more, [])
    })

  test('nodes may share a namespace where nothing is asked of the links', () =>
    assert.deepEqual(problemsOf({ workers: '5', linkLatency: '0' }), []))
})

test('a process for each node takes more memory than the machine has: refused, with how many fit', () => {
  const machine = { cores: 2, memoryBytes: 3e9, openFiles: 20_000 }
  const text = findSizeProblem({ network: 'namespaces', nodes: 40, topology: { kind: 'ring' } }, machine)
  assert.match(String(text), /^must be at most about 19 on real TCP, .*2\.8 GiB of memory/)
})

describe('where namespaces cannot be made, one line says what is missing, how to get it and what to run instead', () => {
  const INSTEAD = '; or use --network loopback with --linkLatency, without loss, or --network simulated'

  /** @type {[string, Record<string, string>, RegExp][]} commands there are, as scripts */
  const machines = [
    ['nothing', {}, /^needs setpriv: install util-linux/],
    ['no nsenter', { setpriv: 'exit 0', unshare: 'exit 0' }, /^needs nsenter: install util-linux/]
  ]

  /** @param {string} setpriv - as a script, but for its version */
  function commands(setpriv) {
    return { setpriv: `[ "$1" = --version ] && exit 0\n${setpriv}`, unshare: 'exit 0', nsenter: 'exit 0' }
  }

  /** A machine that has these commands alone. @param {import('node:test').TestContext} t @param {Record<string, string>} scripts */
  async function commandsHere(t, scripts) {
    const folder = await mkdtemp(join(tmpdir(), 'loadtest-commands-'))
    const { PATH } = process.env
    t.after(async () => {
      process.env.PATH = PATH
      await rm(folder, { recursive: true })
    })
    await symlink('/bin/sh', join(folder, 'sh'))
    for (const [name, script] of Object.entries(scripts)) {
      await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
      await chmod(join(folder, name), 0o755)
    }
    process.env.PATH = folder
    return folder
  }

  for (const [what, scripts, why] of machines)
    test(what, async t => {
      await commandsHere(t, scripts)
      const lacks = String(describeNamespaceProblem())
      assert.match(lacks, why)
      assert.ok(lacks.includes(INSTEAD), lacks)
      assert.doesNotMatch(lacks, /\n/)
      const rule = NAMESPACE_RULES.find(({ flag }) => flag === 'network')
      assert.equal(rule?.refuse({ network: 'namespaces' }, new Map()), lacks)
      assert.equal(rule?.refuse({ network: 'loopback' }, new Map()), false)
    })

  test('what works is not tried again for each plan of a study', async t => {
    const folder = await commandsHere(t, commands('exit 0'))
    assert.equal(describeNamespaceProblem(), null)
    await rm(join(folder, 'setpriv'))
    assert.equal(describeNamespaceProblem(), null)
  })
})
