import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assertWhole, codesOf, missingOf, runGossip } from '../acceptance/gossip-network.js'
import { newFolder, PAIRS, TIMEOUT } from '../acceptance/loadtest.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 * @typedef {import('../acceptance/gossip-network.js').GossipOutcome} GossipOutcome
 */

/** In one process: what is missing is found in the same way in several. */
const FAST = Object.freeze([
  ...['--heartbeat_interval', '200ms', '--messages', '12', '--rate', '20/s', '--workers', '1']
])

/** @param {object} network */
async function fileOf(network) {
  const path = join(await newFolder(), 'net.json')
  await writeFile(path, JSON.stringify(network))
  return ['--topology', `file:${path}`]
}

/** @param {GossipOutcome} outcome @param {string} reason */
function assertSaid({ stdout, result }, reason) {
  assert.ok(codesOf(result).includes('DELIVERIES_MISSING'))
  const { pairs, byReason } = result.outcome.missing
  assert.match(
    stdout,
    new RegExp(`⚠ ${pairs.toLocaleString('en')} of .* deliveries did not arrive: .*${reason}`)
  )
  assert.ok(byReason[/** @type {keyof typeof byReason} */ (reason)] > 0)
}

/** Cause, flags, the only reasons there may be. @type {[string, () => Promise<string[]>, string, string[], (result: GossipResult) => void][]} */
const CASES = [
  [
    'nodes that no way leads to, alone or in a part of their own',
    async () => [
      ...(await fileOf({
        nodes: 6,
        edges: [
          [0, 1],
          [1, 2],
          [3, 4]
        ]
      })),
      '--cooldown',
      '2s'
    ],
    'unreachable',
    ['unreachable'],
    result => {
      const { messages, hops, delivery } = result.outcome
      assert.ok(codesOf(result).includes('NOT_CONNECTED'))
      // nobody is there for what one without neighbours publishes
      assert.equal(messages.published + messages.failed, 12)
      assert.ok(messages.failed === 0 || codesOf(result).includes('PUBLISH_FAILED'))
      assert.equal(hops.deliveries.length > 0, delivery.delivered > 0)
    }
  ],
  [
    'messages that the application does not accept',
    async () => '--nodes 6 --topology full --validation accept=2,ignore=1,reject=1 --cooldown 2s'.split(' '),
    'unknown',
    ['unknown'],
    ({ outcome: { counters, delivery, missing } }) => {
      assert.ok(counters.ignored > 0 && counters.rejected > 0)
      assert.equal(counters.accepted, delivery.delivered)
      // what is not accepted is not forwarded, and need not have come to everyone
      assert.ok(missing.pairs >= counters.ignored + counters.rejected)
    }
  ],
  [
    'the run ends while messages are on their way',
    async () => ['--nodes', '4', '--topology', 'line', '--linkLatency', '200ms', '--cooldown', '0'],
    'end-of-run',
    ['end-of-run'],
    () => {}
  ],
  [
    'large messages wait in a stream when the run ends',
    async () => [
      // all are published before the first window of a stream is acknowledged
      ...['--nodes', '4', '--topology', 'line', '--linkLatency', '400ms', '--cooldown', '0'],
      ...['--messageBytes', '1000000']
    ],
    'backlog',
    ['backlog', 'end-of-run'],
    ({ outcome: { resources } }) =>
      assert.ok(resources.some(({ series }) => series.some(({ backlogBytes }) => backlogBytes > 0)))
  ]
]

describe('what is missing has its reason, and the exit code is that of a run that went well', PAIRS, () => {
  for (const [what, args, reason, allowed, look] of CASES)
    test(`${reason}: ${what}`, TIMEOUT, async () => {
      const outcome = await runGossip([...FAST, ...(await args())])
      await assertWhole(outcome)
      assertSaid(outcome, reason)
      assert.deepEqual(
        Object.keys(missingOf(outcome.result)).filter(other => !allowed.includes(other)),
        []
      )
      look(outcome.result)
    })
})

describe('a network that does not carry what is asked of it', PAIRS, () => {
  test(
    'is named as overloaded, hangs nowhere, and says what was not published; no success with --strict: exit code 4',
    TIMEOUT,
    async () => {
      const outcome = await runGossip([
        // one process: it is asked for more than that carries, and the other core is left to others
        ...['--nodes', '12', '--topology', 'random-degree:k=4', '--workers', '1'],
        ...['--heartbeat_interval', '200ms'],
        ...['--rate', '3000/s', '--duration', '1s', '--cooldown', '1s', '--strict']
      ])
      await assertWhole(outcome, { code: 4 })
      assert.match(outcome.stderr, /^--strict: the load generator limited the result$/m)
      const { result, stdout } = outcome
      const codes = codesOf(result)
      assert.ok(codes.includes('PUBLISH_LATE') || codes.includes('GENERATOR_LIMITED'), codes.join())
      assert.ok(codes.includes('NOT_PUBLISHED'), codes.join())
      assert.match(stdout, /⚠ [\d,]+ of 3,000 messages were not published, because --duration ended first/)
      const { messages, missing, delivery } = result.outcome
      assert.ok(Number(messages.planned) === 3000 && messages.published < 3000 && delivery.delivered > 0)
      if (missing.pairs > 0) assert.ok(codes.includes('DELIVERIES_MISSING'))
    }
  )

  test('skips messages where --maxBacklog is reached, and counts them', TIMEOUT, async () => {
    const outcome = await runGossip([
      ...['--nodes', '4', '--topology', 'line', '--linkLatency', '100ms', '--heartbeat_interval', '200ms'],
      ...['--rate', '40/s', '--messages', '40', '--messageBytes', '1000000', '--maxBacklog', '100KiB']
    ])
    await assertWhole(outcome)
    const { messages, delivery } = outcome.result.outcome
    assert.ok(messages.skipped > 0 && messages.published > 0)
    assert.equal(messages.published + messages.skipped, 40)
    assert.equal(delivery.expected, 3 * messages.published, 'what was skipped is expected nowhere')
    assert.match(
      outcome.stdout,
      new RegExp(`⚠ ${messages.skipped} messages? (was|were) not published, .*--maxBacklog`)
    )
  })

  test('publishes no more where --memoryCeiling is reached', TIMEOUT, async () => {
    const outcome = await runGossip([
      ...['--nodes', '4', '--topology', 'line', '--heartbeat_interval', '200ms', '--cooldown', '2s'],
      ...['--rate', '20/s', '--messages', '2000', '--memoryCeiling', '64MiB']
    ])
    await assertWhole(outcome)
    assert.ok(outcome.result.outcome.messages.published < 2000)
    assert.ok(codesOf(outcome.result).includes('MEMORY_CEILING'))
    assert.match(outcome.stdout, /⚠ Publishing ended early, because .* --memoryCeiling/)
  })
})
