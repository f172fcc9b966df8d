import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findScenario } from '../../../../src/scenarios/index.js'
import { planCluster } from '../../../../src/studies/cluster/plan/plan-cluster.js'
import { judgeStage } from '../../../../src/studies/cluster/result/stage.js'
import { clusterCommandLine } from '../../../../src/studies/cluster/view/cluster-command-line.js'
import { clusterSentences } from '../../../../src/studies/cluster/view/cluster-sentences.js'
import { clusterText } from '../../../../src/studies/cluster/view/cluster-text.js'
import { aLoadPoint, times } from '../../../scenarios/rendezvous/saturation/load-point.js'

/**
 * @typedef {import('../../../../src/studies/cluster/result/cluster-document.js').ClusterDocument} ClusterDocument
 * @typedef {Parameters<typeof aLoadPoint>[0]} Point
 */

/** @param {Record<string, unknown>} options @returns {Promise<ClusterDocument>} */
async function planned(options) {
  const made = await planCluster({ options, words: [] }, { now: () => new Date(0), findScenario })
  assert.ok('planned' in made, JSON.stringify(made))
  return made.planned.document
}

const FAULT = /** @type {any} */ ({
  ...{
    kind: 'kill',
    server: 2,
    atMs: 20_000,
    fromMs: 20_004,
    toMs: 20_010,
    cpus: null,
    registrationsLost: 0
  },
  ...{ before: { throughputPerSecond: 150, p99Ms: 9 }, recoveredThroughputMs: 400, recoveredP99Ms: 1200 },
  ...{ operationsLost: { SERVER_GONE: 3 }, reconnects: { dials: 0, peakPerSecond: 0 } }
})

/** @param {Record<string, unknown>} options @param {Partial<Record<'mean' | 'peak' | 'killed', Point>>} [points] @param {number} [missing] */
async function held(options, points = {}, missing = 0) {
  const document = await planned(options)
  for (const stage of document.stages) {
    const due = stage.perSecond * document.seconds
    const members = { servers: 3, busiestCpuPercent: 12, databaseCpuPercent: 20 }
    stage.status = 'complete'
    stage.point = aLoadPoint({
      ...{ durationMs: 1000 * document.seconds, due, achieved: due, rt: times(5), members },
      ...points[stage.name]
    })
    stage.seen = {
      held: document.registrations,
      fault: stage.name === 'killed' ? FAULT : null,
      failovers: stage.name === 'killed' ? 17 : 0,
      lookUp: { lookedUp: 1000, missing: stage.name === 'killed' ? missing : 0 },
      stalestMs: 210
    }
    judgeStage(stage, document.stages)
  }
  return document
}

/** @param {readonly string[]} sentences @param {RegExp} pattern */
const said = (sentences, pattern) =>
  assert.ok(
    sentences.some(sentence => pattern.test(sentence)),
    `${pattern} in\n${sentences.join('\n')}`
  )

describe('the answer of the estimate', () => {
  test('is that the servers carry it, each rate as it was measured', async () => {
    const sentences = clusterSentences(await held({}))
    assert.equal(
      sentences[0],
      '3 servers that share one PostgreSQL carry 1,000,000 peers with 8 requests a day each: mean, peak, peak with a server killed.'
    )
    assert.equal(
      sentences[1],
      'Measured, mean (92.6/s, 30.9/s a server, 1 min 0 s, 1,000,000 registrations): 5,556 of 5,556 requests succeeded in time, 0 failed, p50 4.50 ms, p99 10.0 ms; the busiest server used 12 % of a core, the database 20 %, the load generator was 20 % busy. Carried.'
    )
    said(sentences, /^Measured, peak \(150\/s, 50\.0\/s a server, /)
    said(
      sentences,
      /^Measured: server 2 was killed after 20\.0 s: throughput back 0\.4 s after, p99 1\.2 s after, operations lost 3 SERVER_GONE, clients went to another server 17 times\. So 2 servers carried 150\/s, 75\.0\/s a server\.$/
    )
    said(
      sentences,
      /^Measured: acknowledged registrations were looked up after each rate, 3,000 look-ups in all: none was missing\.$/
    )
    said(sentences, /seen at another within 0\.2 s/)
  })

  test('divides nothing where all registrations were held, and names what stands for more than it is', async () => {
    const sentences = clusterSentences(await held({}))
    said(sentences, /^Nothing is divided/)
    said(sentences, /^Extrapolated: 50 clients stood for 1,000,000 peers\./)
    said(sentences, /^Extrapolated: servers, store and load generator shared a machine with 2 cores\./)
    assert.ok(sentences.slice(1).every(sentence => /^(Measured|Extrapolated|Nothing)/.test(sentence)))
  })

  test('is extrapolated with fewer registrations, and a trial where rates were held for less than a minute', async () => {
    const sentences = clusterSentences(await held({ registrations: '1000', duration: '9s' }))
    said(sentences, /^Extrapolated: 1,000 registrations were held, and the network has 1,000,000/)
    said(sentences, /^Each rate was held for 9\.0 s only: trial figures\./)
    assert.ok(!sentences.some(sentence => sentence.startsWith('Nothing is divided')))
  })

  test('is that they did not carry a rate, with why and what was used up', async () => {
    const servers = { members: { servers: 3, busiestCpuPercent: 97, databaseCpuPercent: 20 } }
    const sentences = clusterSentences(await held({}, { peak: { achieved: 4000, ...servers } }))
    assert.match(
      sentences[0],
      /^3 servers that share one PostgreSQL did not carry 1,000,000 peers .* here: peak\.$/
    )
    said(
      sentences,
      /^Measured, peak .* Not carried: 44\.4 % achieved\. What was used up: the server's event loop/
    )
  })

  test('is none of the servers where the load generator was used up', async () => {
    const sentences = clusterSentences(await held({}, { peak: { achieved: 4000, utilization: 0.99 } }))
    assert.match(
      sentences[0],
      /^It is not shown that 3 servers .* carry .*: peak: .* shared with the load generator, or its own\.$/
    )
  })

  test('is never that they carry it where something acknowledged is missing', async () => {
    const sentences = clusterSentences(await held({}, {}, 2))
    assert.match(sentences[0], /did not carry .* here: peak with a server killed\.$/)
    said(sentences, /Not carried: registrations that were acknowledged are missing\./)
    said(sentences, /3,000 look-ups in all: 2 were missing/)
    assert.ok(!sentences.some(sentence => /So 2 servers carried/.test(sentence)))
  })

  test('is none where a rate was not measured', async () => {
    const document = await planned({})
    assert.deepEqual(clusterSentences(document), [
      'There is no answer for 1,000,000 peers with 8 requests a day each: mean, peak, peak with a server killed: not measured.'
    ])
  })
})

describe('the answer for Waku', () => {
  /** @param {Partial<import('../../../../src/studies/saturation/result/trial.js').Found>} [parts] */
  async function searched(parts = {}) {
    const document = await planned({ preset: 'waku' })
    const { search } = document
    assert.ok(search !== null)
    search.trials = /** @type {any} */ ([
      {
        name: '01',
        perSecond: 800,
        purpose: 'search',
        sustained: true,
        reasons: [],
        status: 'complete',
        point: aLoadPoint()
      }
    ])
    const at = (/** @type {number} */ perSecond, /** @type {number} */ sustained) => ({
      perSecond,
      sustained,
      repeats: 1
    })
    search.found = {
      ...{ below: at(800, 1), above: at(850, 0), closed: true, estimate: null },
      ...{ first: { limit: 'eventLoop', value: 97, of: 100 }, generatorBound: false },
      ...parts
    }
    document.clusters = search.found.below === null ? null : 209
    return document
  }

  test('is how many such clusters it takes, by division, beside what was measured', async () => {
    const sentences = clusterSentences(await searched())
    assert.equal(
      sentences[0],
      '209 × 3 servers that share one PostgreSQL for 1,000,000 peers with 8,640 requests a day each: ceil(100,000/s ÷ (0.6 × 800/s)), where one such cluster sustains 800/s.'
    )
    said(sentences, /^Measured, 3 servers that share one PostgreSQL: The highest sustainable rate is 800\/s/)
    said(
      sentences,
      /^Extrapolated: all peers send 100,000\/s, 125 times what was measured\. .* stands for 4,800 peers\.$/
    )
    said(sentences, /^Extrapolated: 209 clusters, which share nothing/)
  })

  test('is a bound where the load generator ended the search, and none where no rate was sustained', async () => {
    const [bound] = clusterSentences(await searched({ generatorBound: true }))
    assert.match(bound, /^At most 209 × 3 servers .* sustains at least 800\/s\.$/)
    const [none] = clusterSentences(await searched({ below: null }))
    assert.match(none, /^No number can be given for 1,000,000 peers/)
  })

  test('has a text with its trials, and a command that makes it again', async () => {
    const document = await searched()
    assert.match(clusterText(document), /^\| +1 \| +800 \| yes /m)
    assert.match(clusterText(document), /^--preset waku: The rate of Waku: each peer registers every 10 s/m)
    assert.equal(
      clusterCommandLine(document),
      'node index.js capacity --run --preset waku --peers 1000000 --requestsPerDay 8640 --mix register=0,refresh=1,discover=0 --peakFactor 1 --registrations 1000000 --searchDuration 10s --repeats 1 --nClients 200 --no-connectionPerOperation --servers 3 --store postgres'
    )
  })
})
