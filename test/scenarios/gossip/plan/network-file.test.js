import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { drawSubscriptions } from '../../../../src/load/network-script.js'
import { makePublications } from '../../../../src/load/publications.js'
import { makePlan } from '../../../../src/plan/plan.js'
import { parseNetworkFile } from '../../../../src/scenarios/gossip/plan/network-file.js'
import { GOSSIP } from '../../../../src/scenarios/gossip/scenario.js'
import { files } from '../../../../src/scenarios/gossip/schema.js'

const NET = `
zones:
  file: zones.csv
  roundTrip: true
  jitter: 2%
  loss: { eu: { eu: 0%, us-east: 0.5% }, us-east: { eu: 1%, us-east: 0% } }
classes:
  home:   { share: 80%, up: 50Mbit/s, down: 100Mbit/s, zones: { eu: 50%, us-east: 50% }, validation: 2ms..8ms, dial: outbound }
  server: { share: 20%, up: 1Gbit/s, down: 1Gbit/s, zones: { us-east: 100% }, validation: 1ms }
topics:
  blocks: { messageBytes: 1MiB, rate: 5/min, publishers: server }
  votes:  { count: 3, messageBytes: 1KiB, rate: 10/s, subscribers: 20% }
gossipsub: { D: 8, D_low: 6, D_high: 12, heartbeat: 700ms }
script:
  - { at: 4s,  zone: eu, subscribe: votes.2, for: 2s }
  - { at: 2s,  node: 3, publish: { topic: blocks, bytes: 2MiB } }
  - { at: 5s, class: home, share: 10%, leave: 1s }
  - { at: 6s, zone: eu, partition: 2s }
`
/** Half of what cometbft's aws-latencies.csv has: the names of rows and columns, and round trips. */
const FILES = { 'zones.csv': 'from,eu,us-east\neu,4,90\nus-east,90,6\n' }

/** @param {string} text @param {Record<string, string>} [files] */
const parsed = (text, files = FILES) =>
  parseNetworkFile(text, 'net.yaml', path => {
    const name = Object.keys(files).find(each => path.endsWith(each))
    if (name === undefined) throw Object.assign(new Error(), { code: 'ENOENT' })
    return files[name]
  })

/** @param {string} text @param {Record<string, string>} [files] @returns {string[]} */
function refusals(text, files) {
  const read = parsed(text, files)
  assert.ok('refused' in read)
  return read.refused.map(({ value, allowed }) => `${value} ${allowed}`)
}

/** @param {string} text @param {Record<string, string>} [files] */
function file(text, files) {
  const read = parsed(text, files)
  assert.ok('value' in read, JSON.stringify(read))
  return read.value
}

describe('a network file', () => {
  it('is read in the units of a plan', () => {
    const { zones, classes, topics, script } = file(NET)
    assert.deepEqual(zones?.latencyMs, [
      [2, 45],
      [45, 3]
    ])
    assert.deepEqual(zones?.lossShare, [
      [0, 0.005],
      [0.01, 0]
    ])
    assert.deepEqual(zones?.jitter?.[0][1], { kind: 'share', share: 0.02 })
    assert.deepEqual(classes[0], {
      ...{ name: 'home', share: 0.8, upBytesPerSecond: 6_250_000, downBytesPerSecond: 12_500_000 },
      ...{ zones: [0.5, 0.5], validation: { minMs: 2, maxMs: 8 }, dial: 'outbound' }
    })
    assert.deepEqual([topics?.[0].publishers, topics?.[1].subscribers], [{ class: 'server' }, { share: 0.2 }])
    const actual = script.map(({ atMs, action, forMs }) => [atMs, action, forMs])
    assert.deepEqual(actual, [
      [2000, 'publish', undefined],
      [4000, 'subscribe', 2000],
      [5000, 'leave', 1000],
      [6000, 'partition', 2000]
    ])
  })

  it('is read as JSON too, with rows of zones and one value for all', () => {
    const text = JSON.stringify({
      zones: {
        names: [1, 2],
        latency: [
          [1, '2ms'],
          [2, 1]
        ],
        loss: '1%'
      }
    })
    assert.deepEqual(file(text).zones, {
      names: ['1', '2'],
      latencyMs: [
        [1, 2],
        [2, 1]
      ],
      jitter: null,
      lossShare: [
        [0.01, 0.01],
        [0.01, 0.01]
      ],
      shares: null
    })
  })

  it('is refused with every problem at once, each with line, column and key', () => {
    assert.deepEqual(
      refusals(`zone: {}
zones: { latency: { eu: { eu: 2ms, us: 5 }, us: { eu: 3ms } } }
classes:
  home: { share: 70%, up: 50, dwn: 100Mbit/s }
  server: { share: 20%, zones: { mars: 100% } }
topics:
  blocks: { publishers: serv }
script:
  - { at: 2s, publish: blocs, leave: true }
`).map(each => each.replace(/:? must be.*/, '')),
      [
        'net.yaml:1:1 zone has the unknown key "zone"; did you mean zones?',
        'net.yaml:2:45 zones.latency.us.us has no value in row 2 (us), column 2 (us)',
        'net.yaml:4:23 classes.home.up',
        'net.yaml:4:31 classes.home.dwn has the unknown key "dwn"; did you mean down?',
        'net.yaml:9:5 script.0 must have one of publish, subscribe, unsubscribe, leave, partition, not publish and leave'
      ]
    )
    assert.deepEqual(
      refusals(`classes:
  home: { share: 70% }
  server: { share: 20%, zones: { mars: 100% } }
topics:
  blocks: { publishers: serv }
script:
  - { at: 2s, publish: blocs }
`),
      [
        'net.yaml:1:1 classes has shares that add up to 90%: they must add up to 100%',
        'net.yaml:3:34 classes.server.zones.mars names zone mars, but the file has none',
        'net.yaml:5:13 topics.blocks.publishers names class or zone serv, which does not exist; did you mean server?',
        'net.yaml:7:15 script.0.publish names topic blocs, which does not exist; did you mean blocks?'
      ]
    )
  })

  it('says what is wrong with its tables', () => {
    const zones = 'zones: { file: zones.csv }'
    assert.match(refusals(zones, { 'zones.csv': ',eu,us\neu,1,\nus,2,1' })[0], /row 1, column 2 is empty/)
    assert.match(refusals(zones, {})[0], /net.yaml:1:10 zones.file names a file that cannot be read/)
    const numbered = file(zones, { 'zones.csv': ',0,1\n0,1,9\n1,9,2' }).zones
    const actual = [numbered?.names, numbered?.latencyMs[1]]
    assert.deepEqual(actual, [
      ['0', '1'],
      [9, 2]
    ])
    const placed = 'classes: { a: { share: 50% }, b: { share: 50% } }\nplacement: nodes.csv'
    assert.deepEqual(refusals(placed, { 'nodes.csv': 'node,class\n0,a\n2,c\n' }), [
      'net.yaml:2:1 placement nodes.csv, line 3: must be node 1: there is a line for each node, from 0',
      'net.yaml:2:1 placement nodes.csv, line 3: "c" is no class of the file'
    ])
    assert.deepEqual(file(placed, { 'nodes.csv': 'Node,Class\n0,b\n1,a\n' }).placement, [
      { class: 'b' },
      { class: 'a' }
    ])
    const bomb = 'abcdef'
      .split('')
      .map((key, i) => `${key}: &${key} [${Array(9).fill(i === 0 ? '1' : `*${'abcdef'[i - 1]}`)}]`)
    assert.deepEqual(refusals(bomb.join('\n')), ['net.yaml is not valid YAML or JSON: too many aliases'])
    assert.match(
      refusals('classes: { all: { share: 100% } }')[0],
      /must be a name without blanks, commas and %, and not all/
    )
    assert.match(refusals('a: [')[0], /^net.yaml:1:\d is not valid YAML or JSON/)
  })

  it('has a JSON Schema that names all of its keys', async () => {
    const { properties = {} } = /** @type {{ properties?: Record<string, any> }} */ ((await files()).network)
    assert.deepEqual(Object.keys(properties), [
      ...['zones', 'classes', 'topics', 'gossipsub', 'script', 'placement']
    ])
    assert.ok('roundTrip' in properties.zones.properties)
  })
})

describe('a plan with a network file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'network-file-'))
  after(() => rmSync(folder, { recursive: true }))
  const plain = 'classes: { a: { share: 100%, up: 1MB/s } }'
  for (const [name, text] of Object.entries({ 'net.yaml': NET, ...FILES, 'plain.yaml': plain }))
    writeFileSync(join(folder, name), text)
  const at = (/** @type {string} */ name) => join(folder, name)
  /** @param {Record<string, unknown>} options */
  const planned = options =>
    makePlan(GOSSIP, { network: 'simulated', nodes: 30, duration: '10s', ...options })

  it('has what the file says where flags would say it', () => {
    const { plan } = /** @type {any} */ (planned({ networkFile: at('net.yaml') }))
    const actual = plan.topics.map((/** @type {any} */ { name }) => name)
    assert.deepEqual(actual, ['blocks', 'votes.0', 'votes.1', 'votes.2'])
    assert.deepEqual([plan.gossipsub.D, plan.gossipsub.heartbeatInterval], [8, 700])
    assert.equal(plan.linkLatencies.regions.length, 30)
    assert.ok(Math.abs(plan.ratePerSecond - 30 - 5 / 60) < 1e-9)
    const flags = GOSSIP.flat(plan)
    assert.deepEqual([flags.topics, flags.linkLatencyMs, flags.D], [null, null, null], 'nobody gave them')
  })

  it('publishes each topic at its rate, from its publishers, and what the script says', () => {
    const { plan } = /** @type {any} */ (planned({ networkFile: at('net.yaml'), duration: '60s' }))
    const subscriptions = drawSubscriptions(plan)
    const actual = [0, 1, 2, 3].map(topic => subscriptions.filter(mine => mine.includes(topic)).length)
    assert.deepEqual(actual, [30, 6, 6, 6])
    const rows = makePublications(plan, subscriptions)
    const ofTopic = (/** @type {number} */ topic) =>
      [...rows.topic.keys()]
        .filter(row => rows.topic[row] === topic)
        .map(row => ({ node: rows.node[row], bytes: rows.bytes[row], atMs: rows.offsetNs[row] / 1e6 }))
    assert.equal(ofTopic(1).length, 600)
    assert.ok(ofTopic(1).every(({ node, bytes }) => subscriptions[node].includes(1) && bytes === 1024))
    const blocks = ofTopic(0)
    assert.equal(blocks.length, 6)
    assert.deepEqual(
      blocks.find(({ bytes }) => bytes === 2 ** 21),
      { node: 3, bytes: 2 ** 21, atMs: 2000 }
    )
    assert.notEqual(ofTopic(1)[0].atMs, ofTopic(2)[0].atMs, 'topics of one rate have their own moments')
    assert.deepEqual(
      [...rows.offsetNs],
      [...rows.offsetNs].sort((a, b) => a - b)
    )
  })

  it('is refused where a flag says the same, and where its network cannot do it, naming both', () => {
    const { problems = [] } = planned({ networkFile: at('net.yaml'), rate: '5/s', D: 7, linkLatency: '5ms' })
    const actual = problems.map(({ flag, allowed }) => `${flag} ${allowed.replaceAll(folder, '.')}`)
    assert.deepEqual(actual, [
      '--rate is also set by ./net.yaml, in topics: set it in one of them',
      '--linkLatency is also set by ./net.yaml, in zones: set it in one of them',
      '--D is also set by ./net.yaml, in gossipsub.D: set it in one of them'
    ])
    const refused = (/** @type {Record<string, unknown>} */ options) =>
      planned(options).problems?.map(({ allowed }) => allowed)
    assert.match(
      String(refused({ networkFile: at('plain.yaml'), network: 'loopback' })),
      /has classes.….up, which needs --network simulated/
    )
    const topology = 'file:fixtures/topology/three.gml'
    assert.match(
      String(
        planned({ networkFile: at('plain.yaml'), nodes: 3, topology }).problems?.map(({ allowed }) => allowed)
      ),
      /sets in classes.a.up what file:.*three.gml of --topology also sets/
    )
    assert.match(
      String(refused({ networkFile: at('net.yaml'), nodes: 3 })),
      /names node 3 in script.0, and there are 3/
    )
    assert.match(
      String(refused({ networkFile: at('net.yaml'), duration: '7s' })),
      /partition in its script until 8s, and publishing ends after 7s/
    )
  })
})
