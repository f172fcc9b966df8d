import { makeLives } from '../../../src/load/churn.js'
import { RegistrationChurnMeasurement } from '../../../src/scenarios/rendezvous/measure/churn.js'
import { makeChurnPlan } from '../../../src/scenarios/rendezvous/peer-options.js'
import { operation, SERVER, sampleResult } from '../../report/sample-result.js'
import { validPlanOf } from '../../scenarios.js'

/**
 * @typedef {import('../../../src/report/schema.js').Result} Result
 * @typedef {import('../../../src/scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('../../../src/scenarios/rendezvous/measure/churn.js').ChurnEvent} ChurnEvent
 */

const OPTIONS = {
  ...{ nClients: 6, churn: '2,every=4s,away=2s', benchmarkType: 'DISCOVER', discoverLimit: 1000 },
  ...{ nNamespaces: 1, initialRegistrations: 0, ttl: '4s', duration: '12s', rate: '1/s', workers: 1 }
}
const MS = 1e6
const SECONDS = 12

/** @returns {Plan} */
const plan = () => validPlanOf('rendezvous', OPTIONS)

/** What was told in 12 s: peers 4 and 5 are killed at 4 s and 8 s, 6 and 7 come at 6 s and 10 s; peer 0 asks once a second. */
function measured() {
  const lives = makeLives(makeChurnPlan(plan()))
  const measurement = new RegistrationChurnMeasurement(plan(), 0)
  /** @param {number} node @param {number} ms @returns {ChurnEvent} */
  const registered = (node, ms) => ({
    kind: 'registered',
    atNs: ms * MS,
    node,
    ns: 0,
    ttlSeconds: 4,
    certain: true
  })
  /** Whether a registration is given out, 100 ms after what happens then. @param {number} node @param {number} ms */
  function isGiven(node, ms) {
    const { startMs = null, killMs = null } = lives.find(life => life.node === node) ?? {}
    const untilMs = killMs === null ? Number.POSITIVE_INFINITY : killMs - 2000 + 4000
    return ms > (startMs ?? -1) && ms < untilMs
  }
  const everyone = [0, 1, 2, 3, ...lives.map(({ node }) => node)]
  /** @type {ChurnEvent[]} */
  const events = []
  for (const node of everyone) {
    const { startMs = null, killMs = null } = lives.find(life => life.node === node) ?? {}
    const beginMs = startMs === null ? 0 : startMs + 30
    for (let ms = beginMs; ms < Math.min(SECONDS * 1000, killMs ?? Number.POSITIVE_INFINITY); ms += 2000)
      events.push(registered(node, ms))
  }
  for (let second = 0; second < SECONDS; second++) {
    const ms = second * 1000 + 100
    const peers = Uint32Array.from(everyone.filter(node => isGiven(node, ms)))
    events.push({ kind: 'reply', atNs: ms * MS, sentNs: (ms - 1) * MS, node: 0, ns: 0, peers, unknown: 0 })
    measurement.count((ms + 500) * MS, peers.length)
  }
  for (const { node, startMs } of lives)
    if (startMs !== null)
      events.push({
        ...{ kind: 'reply', atNs: (startMs + 40) * MS, sentNs: (startMs + 35) * MS, node, ns: 0 },
        ...{ peers: Uint32Array.of(0, 1, 2, 3, node), unknown: 0 }
      })
  const changes = lives.flatMap(({ node, startMs, killMs }) => [
    ...(startMs === null
      ? []
      : [
          {
            ...{ node, startedNs: startMs * MS, connectedNs: (startMs + 20) * MS },
            registeredNs: (startMs + 30) * MS
          }
        ]),
    ...(killMs === null ? [] : [{ node, killedNs: killMs * MS }])
  ])
  measurement.take({ events, changes, cutOff: 1, untilNs: SECONDS * 1000 * MS }, 0)
  measurement.end(SECONDS * 1000 * MS)
  return measurement.result(150)
}

/**
 * aChurnedResult is a result of a run with churn: two clients were killed and replaced.
 *
 * @returns {Result & { outcome: { churn: NonNullable<Result['outcome']['churn']> } }}
 */
export function aChurnedResult() {
  const result = sampleResult({
    outcome: {
      operations: { DISCOVER: operation(), REGISTER: operation({ count: 60, outcomes: { OK: 60 } }) },
      measuredMs: SECONDS * 1000,
      server: SERVER
    }
  })
  return {
    ...result,
    id: '20261120-0712-rendezvous-1',
    plan: plan(),
    outcome: { ...result.outcome, churn: measured() }
  }
}
