import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { operation, sampleResult, summary, time } from '../report/sample-result.js'
import { aProfileResult } from '../run/a-profile-result.js'
import { aChurnedGossipResult } from '../scenarios/gossip/a-churned-gossip-result.js'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { aChurnedResult } from '../scenarios/rendezvous/a-churned-result.js'
import { temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

/**
 * @typedef {import('../../src/cli/index.js').RunScenario} RunScenario
 */

const base = temporaryFolder()

/** Runs with these p50 one after the other. @param {(place: number) => number} p50Of @returns {RunScenario} */
function runsWith(p50Of) {
  let place = 0
  return async function* (plan, { id }) {
    const p50 = p50Of(place++)
    const all = summary(5000, { p50: time(p50), p99: time(3 * p50) })
    const REGISTER = operation({ all, serverCpuMicrosPerOperation: 200 })
    yield {
      type: 'result',
      result: {
        ...sampleResult({ outcome: { operations: { REGISTER } } }),
        id,
        plan: /** @type {any} */ (plan)
      }
    }
  }
}

/** @param {string} folder @param {string[]} argv @param {(place: number) => number} [p50Of] */
const call = (folder, argv, p50Of = place => 10 + place / 100) =>
  runCommand([...argv, '--outputDir', join(base, folder)], { base, scenarioOf: () => runsWith(p50Of) })

/** @param {string} folder */
const only = async folder => join(base, folder, (await readdir(join(base, folder)))[0])

describe('--runs', () => {
  /** @type {string} */
  let baseline
  before(async () => {
    const { exitCode, stdout } = await call('first', ['--runs', '8'], place =>
      place === 5 ? 12 : 10 + place / 100
    )
    assert.equal(exitCode, 0)
    assert.match(stdout, /^8 runs of one plan: median throughput 250 op\/s, from 250 op\/s to 250 op\/s\.$/m)
    assert.match(stdout, /^\| p50, ms +\| +10\.04 \| +10 \| +12 \| +1\.2 \| run 6 +\|$/m)
    assert.match(stdout, /^⚠ p50: far from the other runs: run 6\.$/m)
    baseline = await only('first')
  })

  test('keeps every run with the document, and is listed and shown again', async () => {
    const document = JSON.parse(await readFile(join(baseline, 'comparison.json'), 'utf8'))
    assert.deepEqual([document.status, document.sides[0].runs.length, document.held], ['complete', 8, null])
    const { stdout } = await runCommand(['list', join(base, 'first')], {
      base,
      scenarioOf: () => assert.fail()
    })
    assert.match(stdout, /runs of rendezvous \| 8 runs +\|/)
    await rm(join(baseline, 'report.html'))
    const again = await runCommand(['report', baseline, '--no-runs'], {
      base,
      scenarioOf: () => assert.fail()
    })
    assert.equal(again.exitCode, 0, again.stderr)
    assert.match(await readFile(join(baseline, 'report.html'), 'utf8'), /far from the other runs: run 6/)
  })

  test('--baseline passes, fails, or is left undecided: exit code 0, 3, 3, and 0 where that is allowed', async () => {
    const held = ['--runs', '8', '--baseline', baseline, '--failOn', 'p50 > +10%']
    const slower = await call('slower', held, () => 15)
    assert.equal(slower.exitCode, 3, slower.stderr)
    assert.match(
      slower.stdout,
      /; FAIL against the baseline .*\(8 runs, 2026-11-20, libp2p-loadtest unknown\)\.$/m
    )
    assert.match(
      slower.stderr,
      /^8 pairs of runs show a change of 4\.3 % \(if their ratios scatter by 5 %\)/m
    )
    const same = await call('same', [...held.slice(0, 4), '--failOn', 'p99 > +30%'], () => 10)
    assert.equal(same.exitCode, 0, same.stdout)
    assert.match(same.stdout, /^\| p99 > \+30% \| A +\| baseline \| PASS +\|.*\|\n/m)
    const few = ['--runs', '2', '--baseline', baseline]
    const open = await call('open', few)
    assert.equal(open.exitCode, 3)
    assert.match(open.stdout, /; UNDECIDED against the baseline/)
    assert.match(open.stderr, /^2 pairs of runs cannot decide anything: 8 are needed/m)
    assert.equal((await call('allowed', [...few, '--allowUndecided'])).exitCode, 0)
  })

  test('--resume goes on: complete runs are kept, and there can be more of them', async () => {
    assert.equal((await call('more', ['--runs', '2'])).exitCode, 0)
    const folder = await only('more')
    const before = JSON.parse(await readFile(join(folder, 'comparison.json'), 'utf8'))
    const { exitCode, stdout } = await call('more', ['--runs', '3', '--resume'])
    assert.equal(exitCode, 0)
    assert.match(stdout, /^3 runs of one plan/m)
    const {
      status,
      sides: [{ runs }]
    } = JSON.parse(await readFile(join(folder, 'comparison.json'), 'utf8'))
    assert.deepEqual([status, runs.length, runs.slice(0, 2)], ['complete', 3, before.sides[0].runs])
    assert.equal((await readdir(join(folder, 'a'))).length, 3)
  })

  test('of a simulated network are refused', async () => {
    const simulated = ['gossip', '--network', 'simulated', '--runs', '2', '--outputDir', base]
    const refusal = await runCommand(simulated, { base, scenarioOf: () => assert.fail() })
    assert.equal(refusal.exitCode, 2)
    assert.match(refusal.stderr, /--runs 2 +must be 1 with --network simulated/)
  })

  /** @type {[string[], () => any, RegExp][]} */
  const others = [
    [['gossip', '--nodes', '20'], aGossipResult, /^\| Latency p50, ms +\|/m],
    [['profile', '--duration', '3s'], aProfileResult, /^\| CPU per delivery, ms +\|/m],
    [
      ['gossip', '--churn', '10,every=5s,away=2s', '--duration', '1m'],
      aChurnedGossipResult,
      /^\| Message delivery ratio, % +\|/m
    ],
    [
      [
        ...['rendezvous', '--nClients', '6', '--churn', '2,every=4s,away=2s'],
        ...['--benchmarkType', 'DISCOVER', '--discoverLimit', '100']
      ],
      aChurnedResult,
      /^\| Stale records, % +\|/m
    ]
  ]
  for (const [argv, resultOf, figure] of others)
    test(`of ${argv.join(' ')} hold its figures, too`, async () => {
      const { exitCode, stdout, stderr } = await runCommand(
        [...argv, '--runs', '2', '--outputDir', join(base, argv.join('-'))],
        {
          base,
          scenarioOf: () =>
            async function* (_, { id }) {
              yield { type: 'result', result: { ...resultOf(), id } }
            }
        }
      )
      assert.equal(exitCode, 0, stderr)
      assert.match(stdout, /^2 runs of one plan/m)
      assert.match(stdout, figure)
    })
})
