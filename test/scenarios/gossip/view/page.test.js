import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gossipTables } from '../../../../src/scenarios/gossip/view/table.js'
import { asRead } from '../../../report/page/parts-of-page.js'
import { time } from '../../../report/sample-result.js'
import { leadSentences, planCommandLine, reportPage, SECTIONS, verdictOf } from '../../../report/shown.js'
import { aGossipResult, nothingPublished } from './a-gossip-result.js'

/** @typedef {import('../../../../src/scenarios/gossip/gossip-types.js').GossipResult} GossipResult */

const SOUND = aGossipResult()
const LOSSY = aGossipResult({
  gone: [3, 11],
  skipped: 2,
  warnings: [{ code: 'MESSAGES_SKIPPED', values: { count: 2 } }]
})
const NOTHING = nothingPublished()
const SIMULATED = { ...SOUND, plan: /** @type {any} */ ({ ...SOUND.plan, network: 'simulated' }) }

/** What a person reads of a page. @param {string} page */
const textOf = page =>
  page
    .replace(/<(style|svg|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')

describe('the sentence a person would say', () => {
  for (const [what, result, expected] of /** @type {[string, GossipResult, RegExp[]][]} */ ([
    [
      'all well',
      SOUND,
      [
        /^40 nodes \(barabasi-albert m=6\) published 200 messages; all of them reached every subscriber: 7,800 deliveries, none missing\.$/,
        /^Half of the deliveries came within [\d.]+ ms, 99 % within [\d.]+ ms; half of the messages had reached everyone within [\d.]+ ms, 90 % within [\d.]+ ms\.$/
      ]
    ],
    [
      'something is missing',
      LOSSY,
      [
        /published 198 messages; 100 reached every subscriber; [\d,]+ of [\d,]+ deliveries came \(9\d\.\d\d %\)\.$/,
        /more than/
      ]
    ],
    ['nothing', NOTHING, [/^No message was published\.$/]],
    ['simulated', SIMULATED, [/^Simulated: 40 nodes/, /^Half/]]
  ]))
    test(what, () => {
      const said = leadSentences(result)
      assert.equal(said.length, expected.length, said.join('\n'))
      for (const [i, pattern] of expected.entries()) assert.match(said[i], pattern)
    })
})

describe('verdict', () => {
  const doubtful = {
    ...SOUND.outcome.latency,
    all: { ...SOUND.outcome.latency.all, p99: time(9, { doubtful: true }) }
  }
  for (const [what, result, expected] of /** @type {[string, GossipResult, RegExp[]][]} */ ([
    ['all well', SOUND, [/^good Complete/, /^good Every delivery came/, /^good No figure is doubtful/]],
    [
      'missing and skipped',
      LOSSY,
      [
        /^good Complete/,
        /^bad \d+ of [\d,]+ deliveries did not come: \d+ node-gone/,
        /^mind 2 messages were skipped/,
        /^good No figure/,
        /^mind 1 warning/
      ]
    ],
    ['partial', NOTHING, [/^bad Partial result: the run has not ended yet\./]],
    ['simulated', SIMULATED, [/^good Complete/, /^mind Simulated: /, /^good Every/, /^good No/]],
    [
      'a doubtful figure',
      aGossipResult({ outcome: { latency: doubtful } }),
      [/^good/, /^good/, /^mind Doubtful, marked \*: latency p99; nodes that share a process/]
    ],
    [
      'nodes that starved',
      aGossipResult({ warnings: [{ code: 'NODES_BUSY', values: { worker: 0, utilization: 0.99 } }] }),
      [/^good/, /^good/, /^mind Doubtful: Worker 0 was 99 % busy/]
    ]
  ]))
    test(what, () => {
      const said = verdictOf(result).map(({ tone, text }) => `${tone} ${text}`)
      assert.equal(said.length, expected.length, said.join('\n'))
      for (const [i, pattern] of expected.entries()) assert.match(said[i], pattern)
    })
})

describe('page of a gossip run', async () => {
  const page = await reportPage(LOSSY, { folder: 'results/x' })
  const text = textOf(page)

  test('has every figure of the table, as it stands there', () => {
    const { deliveries, times } = gossipTables(LOSSY)
    for (const row of [...deliveries.rows, ...times.rows])
      assert.ok(text.includes(row.join(' ')), row.join(' '))
  })

  test('says what is missing, and how the run is repeated', () => {
    for (const said of [
      'node-gone',
      'the node had gone, or went after the message was published',
      'The first 20 of ',
      planCommandLine(LOSSY.plan),
      'node index.js gossip',
      'node index.js rerun results/x',
      'TCP connections on this machine',
      'all nodes are on one host'
    ])
      assert.ok(text.includes(said), said)
  })

  test('has every section', () => {
    const ids = SECTIONS.gossip.map(({ id }) => id).filter(id => id !== 'thresholds')
    assert.deepEqual(
      [...page.matchAll(/<section id="([^"]*)"/g)].map(([, id]) => id),
      ids
    )
  })

  test('links lead to sections that are there, and no name is used twice', () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length)
    for (const [, to] of page.matchAll(/href="#([^"]*)"/g)) assert.ok(ids.includes(to), to)
  })

  test('is read without a script, and asks nothing of a network', () => {
    assert.doesNotMatch(
      asRead(page),
      /<script|<link(?! rel="icon" href="data:,")|<img|<iframe|@import|url\(|\son\w+=/
    )
  })

  test('what is in a result cannot become part of the page', async () => {
    const bad = aGossipResult({
      gone: [3],
      options: { topics: { '<script>1</script>': 1, '"><img src=x onerror=1>': 1 } },
      warnings: [{ code: '<script>2', values: {} }]
    })
    const made = asRead(await reportPage(bad, { folder: '"><script>3' }))
    assert.doesNotMatch(made, /<script|<img/)
    assert.ok(textOf(made).includes('<script>1</script>'))
  })

  for (const [what, result, said = ''] of /** @type {[string, GossipResult, string?][]} */ ([
    ['nothing published', NOTHING],
    ['all skipped', aGossipResult({ options: { messages: '3' }, skipped: 3 })],
    ['one message', aGossipResult({ options: { messages: '1' } })],
    [
      'a network too large to draw, which it says',
      { ...SOUND, outcome: { ...SOUND.outcome, topology: { ...SOUND.outcome.topology, nodes: 500 } } },
      'more than 300 nodes is not drawn: this one has 500'
    ],
    [
      'nothing known of the workers',
      { ...SOUND, outcome: { ...SOUND.outcome, resources: [] }, run: { ...SOUND.run, health: [] } }
    ],
    [
      'anomalies and unknown reasons',
      {
        ...LOSSY,
        outcome: {
          ...LOSSY.outcome,
          missing: { ...LOSSY.outcome.missing, byReason: /** @type {any} */ ({ 'of a later version': 5 }) }
        }
      }
    ]
  ]))
    test(`is made with ${what}`, async () => {
      const made = textOf(await reportPage(result))
      assert.doesNotMatch(made, /undefined|NaN|\[object|null/)
      assert.ok(made.includes(leadSentences(result)[0].split(';')[0]))
      assert.ok(made.includes(said), said)
    })
})
