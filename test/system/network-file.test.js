import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { placeNodes } from '../../src/load/network-script.js'
import { assertWhole, FAST_MESH, runGossip } from '../acceptance/gossip-network.js'
import { newFolder, runCommand, TIMEOUT } from '../acceptance/loadtest.js'

const TOPICS = `topics:
  blocks: { messageBytes: 20kB, rate: 2/s, publishers: server }
  votes:  { count: 2, messageBytes: 500, rate: 4/s, subscribers: 50% }
`
const CLASSES = `classes:
  home:   { share: 75%, validation: 5ms..9ms, dial: outbound }
  server: { share: 25% }
`
const ZONES = `zones:
  latency: { here: { here: 5ms, there: 80ms }, there: { here: 80ms, there: 5ms } }
  jitter: 0%
`

/** @param {string} text */
async function fileOf(text) {
  const path = join(await newFolder(), 'net.yaml')
  await writeFile(path, text)
  return path
}

describe('a network from a file', TIMEOUT, () => {
  test('simulated: zones have their latencies, classes their validation; a rerun needs no file and gives the same digest', async () => {
    const file = await fileOf(`${ZONES}${CLASSES}${TOPICS}`)
    const network = ['--network', 'simulated', '--nodes', '12', '--topology', 'full']
    const outcome = await runGossip([...network, '--networkFile', file, '--duration', '10s'])
    await assertWhole(outcome)
    const { plan, outcome: measured } = outcome.result
    assert.equal(measured.messages.published, 20 + 40 + 40)
    const { classOf, zoneOf } = placeNodes(plan) ?? assert.fail()
    assert.deepEqual(
      [0, 1].map(place => zoneOf.filter(zone => zone === place).length),
      [7, 5],
      'of 9 homes and 3 servers the first zone has what is left'
    )
    for (const [from, to] of measured.topology.edges)
      assert.equal(classOf[to], 1, `${from} dials ${to}, a server`)
    // a quick path is one of 5 ms within a zone, and a validation of at least 5 ms before it is delivered at home
    assert.ok(Number(measured.latency.all.p50?.ms) > 5)
    assert.ok(Number(measured.latency.all.max?.ms) >= 80)

    await rm(file)
    const again = await runCommand(['rerun', outcome.folder])
    assert.equal(again.code, 0, again.stderr)
    assert.equal(/** @type {any} */ (again.result).outcome.digest, measured.digest)
  })

  test('the placement of a run can be given to another one, and the line of a class can be what limits it', async () => {
    const folder = await newFolder()
    const narrow = CLASSES.replace('server: { share: 25% }', 'server: { share: 25%, up: 60kB/s }')
    await writeFile(join(folder, 'net.yaml'), `${ZONES}${narrow}${TOPICS}`)
    const network = ['--network', 'simulated', '--nodes', '12', '--topology', 'full', '--duration', '10s']
    const first = await runGossip([
      ...network,
      '--networkFile',
      join(folder, 'net.yaml'),
      ...'--csv --seed 2'.split(' ')
    ])
    await assertWhole(first)
    const { shares } = first.result.outcome.limitedBy ?? assert.fail()
    const link = shares.find(({ name }) => name === 'link') ?? assert.fail(JSON.stringify(shares))
    assert.ok(link.percent > 20, JSON.stringify(shares))

    const placement = `placement: ${join(String(first.folder), 'nodes.csv')}\n`
    await writeFile(join(folder, 'placed.yaml'), `${ZONES}${narrow}${TOPICS}${placement}`)
    const second = await runGossip([...network, '--networkFile', join(folder, 'placed.yaml'), '--seed', '3'])
    await assertWhole(second)
    assert.deepEqual(placeNodes(second.result.plan), placeNodes(first.result.plan))
  })

  test('on loopback: topics and classes, as far as they are no links', async () => {
    const file = await fileOf(`${CLASSES}${TOPICS}`)
    const network = ['--nodes', '8', '--topology', 'full', '--linkLatency', '0', ...FAST_MESH]
    const outcome = await runGossip([...network, '--networkFile', file, '--duration', '3s'])
    await assertWhole(outcome)
    const { topics, delivery } = outcome.result.outcome
    assert.equal(delivery.ratio, 1)
    assert.deepEqual(
      topics.map(({ published, expected }) => [published, expected]),
      [
        [6, 6 * 7],
        [12, 12 * 3],
        [12, 12 * 3]
      ]
    )
  })
})
