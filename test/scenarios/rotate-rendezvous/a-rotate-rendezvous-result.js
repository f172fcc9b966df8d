import { rotationSchedule } from '../../../src/load/rotation-schedule.js'
import { RotateRendezvousMeasurement } from '../../../src/scenarios/rotate-rendezvous/measure/rotate-rendezvous-measurement.js'
import { operation, SERVER, sampleResult } from '../../report/sample-result.js'
import { makePlanOf } from '../../scenarios.js'

/**
 * @typedef {import('../../../src/scenarios/rotate-rendezvous/rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../../../src/scenarios/rotate-rendezvous/plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} RotateRendezvousPlan
 * @typedef {import('../../../src/scenarios/rotate-rendezvous/measure/events-in-order.js').RotateRendezvousEvent} RotateRendezvousEvent
 */

const OPTIONS = {
  stable: 4,
  ephemeral: 2,
  rotateEvery: '4s',
  downFor: '2s',
  ttl: '4s',
  duration: '12s',
  rate: '1/s',
  workers: 1
}
const MS = 1e6
const SECONDS = 12

function plan() {
  const made = makePlanOf('rotation-rendezvous', OPTIONS)
  if (made.plan === undefined) throw new Error(JSON.stringify(made.problems))
  return /** @type {RotateRendezvousPlan} */ (made.plan)
}

/** What was told in 12 s: peers 4 and 5 are killed at 4 s and 8 s, 6 and 7 come at 6 s and 10 s; peer 0 asks once a second. */
function measured() {
  const rotating = plan()
  const lives = rotationSchedule({ ...rotating, dials: 0 })
  const measurement = new RotateRendezvousMeasurement({ plan: rotating, lives, startNs: 0 })
  /** @param {number} node @param {number} ms @returns {RotateRendezvousEvent} */
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
  /** @type {RotateRendezvousEvent[]} */
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
    events.push({
      kind: 'reply',
      atNs: ms * MS,
      sentNs: (ms - 1) * MS,
      node: 0,
      ns: 0,
      peers,
      unknown: 0
    })
    measurement.count((ms + 500) * MS, peers.length)
  }
  for (const { node, startMs } of lives)
    if (startMs !== null)
      events.push({
        kind: 'reply',
        atNs: (startMs + 40) * MS,
        sentNs: (startMs + 35) * MS,
        node,
        ns: 0,
        peers: Uint32Array.of(0, 1, 2, 3, node),
        unknown: 0
      })
  const changes = lives.flatMap(({ node, startMs, killMs }) => [
    ...(startMs === null
      ? []
      : [
          {
            node,
            startedNs: startMs * MS,
            connectedNs: (startMs + 20) * MS,
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
 * aRotateRendezvousResult is a result of rotate rendezvous: two peers were killed and replaced.
 *
 * @returns {RotateRendezvousResult}
 */
export function aRotateRendezvousResult() {
  const result = sampleResult({
    outcome: {
      operations: { DISCOVER: operation(), REGISTER: operation({ count: 60, outcomes: { OK: 60 } }) },
      measuredMs: SECONDS * 1000,
      server: SERVER
    }
  })
  return {
    ...result,
    id: '20261120-0712-rotation-rendezvous-1',
    scenario: 'rotation-rendezvous',
    plan: plan(),
    outcome: { ...result.outcome, rotation: measured() }
  }
}
