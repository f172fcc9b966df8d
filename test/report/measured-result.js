import '../../src/kit/runtime.js'
import { makeSubStream } from '../../src/kit/random.js'
import { Meter } from '../../src/measure/operations.js'
import { Measurement } from '../../src/scenarios/rendezvous/measurement.js'
import { makeRunOutcome, makeRunWarnings, makeWorkerHealth } from '../../src/scenarios/rendezvous/outcome.js'
import { judgeAll, makePlan } from '../scenarios.js'
import { sampleResult } from './sample-result.js'

/**
 * @typedef {import('../../src/report/schema.js').Result} Result
 * @typedef {import('../../src/report/schema.js').OperationType} OperationType
 *
 * @typedef {object} Shape - of a made-up measurement
 * @property {Record<string, unknown>} [options] - of its plan
 * @property {OperationType[]} [types]
 * @property {number} [seconds]
 * @property {number} [perSecond] - operations of each type
 * @property {number | null} [stallAt] - s: nothing is answered for two seconds, and some wait for ever
 * @property {number} [workers]
 */

const STALL_SECONDS = 2

/**
 * The time of an operation: a few ms, now and then many.
 *
 * @param {() => number} random
 */
const usual = random => 1e6 * (1 + random() + (random() < 0.02 ? 30 * random() : 0))

/**
 * @param {Meter} meter
 * @param {() => number} random
 * @param {{ types: OperationType[], perSecond: number, second: number, stallAt: number | null }} shape
 */
function recordSecond(meter, random, { types, perSecond, second, stallAt }) {
  const sinceStall = stallAt === null ? Number.NaN : second - stallAt
  if (sinceStall >= 0 && sinceStall < STALL_SECONDS) return
  const late = sinceStall === STALL_SECONDS
  for (const type of types) {
    for (let i = 0; i < perSecond * (late ? STALL_SECONDS + 1 : 1); i++) {
      const lost = late && i % 20 === 0
      const ns = lost ? 2e9 : usual(random) + (late && i > perSecond ? random() * STALL_SECONDS * 1e9 : 0)
      meter.record('rt', type, lost ? 'TIMEOUT' : 'OK', ns)
      meter.overhead(type, lost ? 'TIMEOUT' : 'OK', ns, 1e5 * random())
      meter.record('service', type, lost ? 'TIMEOUT' : 'OK', ns)
      meter.record('lag', type, '', 1e5 * random())
      meter.record('turn', '', '', 2e5 * random())
    }
  }
}

/** @param {Required<Shape>} shape */
function measure({ types, seconds, perSecond, stallAt, workers }) {
  const measurement = new Measurement(workers)
  const random = makeSubStream(7, 'made up')
  const meters = Array.from({ length: workers }, () => new Meter())
  measurement.resources.begin({ atMs: 2000, cpuMs: 0, rssBytes: 9e7 })
  let cpuMs = 0
  for (let second = 0; second < seconds; second++) {
    for (const [worker, meter] of meters.entries()) {
      recordSecond(meter, random, { types, perSecond, second, stallAt })
      const usage = { wallMs: 1000, activeMs: 400 + 100 * worker, cpuMicros: 350_000 }
      measurement.addLoad({ ...meter.take(second), usage }, worker)
    }
    for (const quarter of [1, 2, 3, 4]) {
      cpuMs += 60 + 60 * random()
      const atMs = 2000 + 1000 * second + 250 * quarter
      measurement.resources.read({ atMs, cpuMs, rssBytes: 9e7 + 1e6 * second })
    }
  }
  measurement.measuredMs = 1000 * seconds
  return measurement
}

/**
 * measuredResult is a result that was put together as those of runs are, from a made-up measurement. It is the same every
 * time.
 *
 * @param {Shape} [shape]
 * @returns {Result}
 */
export function measuredResult(shape = {}) {
  const { types = ['REGISTER'], seconds = 6, perSecond = 60, stallAt = null, workers = 1 } = shape
  const options = { seed: 7, workers: String(workers), ...shape.options }
  const { plan, problems } = makePlan(options, { cores: 2 })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  const measurement = measure({ types, seconds, perSecond, stallAt, workers, options })
  const sample = sampleResult({ options })
  const outcome = makeRunOutcome(plan, measurement, {
    target: { ...sample.outcome.target, settings: { server: { maxStreams: 1000 } } },
    memoryCountedAs: 'resident set',
    registrations: { before: 100, after: 100, namespaces: 5 },
    lookUp: null,
    warmUp: null,
    sinceBegin: ms => ms,
    judged: figures => judgeAll(plan.thresholds, figures)
  })
  const health = makeWorkerHealth(measurement)
  const warnings = makeRunWarnings(plan, outcome, health, { namespacesUsed: 5, badReplies: [] })
  const phases = ['setup', 'preload', 'connect', 'warmup', 'measure'].map((name, i) => ({
    name,
    state: /** @type {const} */ ('done'),
    startMs: i * 500,
    durationMs: name === 'measure' ? seconds * 1000 : 500,
    detail: null
  }))
  return {
    ...sample,
    id: '20261120-0712-rendezvous-7',
    outcome,
    run: { ...sample.run, phases, health, warnings }
  }
}
