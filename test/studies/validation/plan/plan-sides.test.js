import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planSides } from '../../../../src/studies/validation/plan/plan-sides.js'

/** @param {Record<string, unknown>} flags @param {object} [how] */
const made = (flags, how) =>
  planSides({ flags, config: { file: 'none', options: {} } }, { validateSeeds: 2, ...how })

/** @param {{ problems: { flag: string, value: string, allowed: string }[] }} refused */
const said = ({ problems }) => problems.map(({ flag, value, allowed }) => `${flag} ${value} ${allowed}`)

describe('the plans of both networks', () => {
  test('have the seed and those after it, and links a tenth slower on the third side', async () => {
    const { parts, problems } = await made({ seed: '5', linkLatency: '200ms' })
    assert.deepEqual(problems, [])
    const plans = Object.entries(parts.runs).map(([side, runs]) => [
      side,
      runs.map(({ plan }) => [plan.seed, plan.linkLatencyMs])
    ])
    assert.deepEqual(Object.fromEntries(plans), {
      real: [
        [5, 200],
        [6, 200]
      ],
      simulated: [
        [5, 200],
        [6, 200]
      ],
      slower: [
        [5, 220],
        [6, 220]
      ]
    })
    assert.equal(parts.simulatedWith, null)
  })

  test('differ in what only the simulated runs are to have', async () => {
    const { parts } = await made({}, { validateWith: ' --linkLatency 800ms ' })
    assert.equal(parts.simulatedWith, '--linkLatency 800ms')
    assert.deepEqual(
      [parts.runs.real[0].plan.linkLatencyMs, parts.runs.simulated[0].plan.linkLatencyMs],
      [400, 800]
    )
  })

  test('are refused with what is no option', async () => {
    assert.deepEqual(said(await made({}, { validateWith: 'slow --linkLatency 800ms' })), [
      '--validateWith slow is neither an option nor the value of one'
    ])
  })

  test('are refused where times cannot be counted in links, or the rate is to be found out', async () => {
    assert.deepEqual(said(await made({ linkLatency: '0' })), [
      '--linkLatency 0 must be above 0 with --validate: times are counted in it'
    ])
    const [rate] = said(await made({ rate: 'auto' }))
    assert.equal(rate, '--rate auto must be a rate with --validate: both networks are given the same')
  })

  test('are refused on a network that is not real', async () => {
    const [network] = said(await made({ network: 'simulated' }))
    assert.match(network, /^--network simulated must be loopback or namespaces with --validate/)
  })
})
