import { setTimeout as pause } from 'node:timers/promises'
import { timeLimit, within } from '../../../kit/time-limit.js'

/**
 * @typedef {import('../measure/recovery.js').FaultEvent} FaultEvent
 * @typedef {import('../plan/fault-option.js').Fault} Fault
 * @typedef {import('../../../target/target.js').Target} Target
 * @typedef {import('../../../target/target.js').FaultHandles} FaultHandles
 *
 * @typedef {object} RunningFaults
 * @property {() => boolean} excused - whether a fault explains why nothing is answered: one goes on, or what it delayed may still
 *   time out
 * @property {() => Promise<void>} over - the load is over: no further fault begins, and the one that goes on ends
 * @property {() => Promise<void>} stop - ends everything at once
 */

/** Registrations are counted so long before a server ends. */
const COUNT_BEFORE_MS = 500
/** A server that has just come back is busy with all who come back to it. */
const COUNT_AFTER_MS = 2000

/** @type {RunningFaults} */
const NONE = { excused: () => false, over: async () => {}, stop: async () => {} }

/**
 * startFaults does to our server what the plan says, when it says so.
 *
 * @param {object} parts
 * @param {Pick<import('../../../plan/plan.js').Plan, 'faults' | 'timeoutMs'>} parts.plan
 * @param {Pick<Target, 'faults' | 'control' | 'members'>} parts.target
 * @param {Pick<import('../../trouble.js').Trouble, 'raise'>} parts.trouble - raised when a fault cannot be done or undone
 * @param {bigint} parts.startNs - when the measurement begins
 * @param {FaultEvent[]} parts.events - are added here
 * @param {() => bigint} [parts.clock] - ns
 * @returns {RunningFaults}
 */
export function startFaults({ plan, target, trouble, startNs, events, clock = process.hrtime.bigint }) {
  if (target.faults === null || plan.faults.length === 0) return NONE
  const waiting = new AbortController()
  const acting = new AbortController()
  const sinceStartMs = () => Number(clock() - startNs) / 1e6
  const until = (/** @type {number} */ ms) => sleep(ms - sinceStartMs(), waiting.signal)

  /** @param {Fault} fault */
  const perform = async fault => {
    const { faults } = serverOf(target, fault)
    const ends = fault.kind === 'restart' || fault.kind === 'kill'
    await until(fault.atMs - COUNT_BEFORE_MS)
    const before =
      ends && !waiting.signal.aborted
        ? await registrationsOf(target.control, timeLimit(COUNT_BEFORE_MS))
        : null
    await until(fault.atMs)
    if (waiting.signal.aborted) return
    /** @type {FaultEvent} */
    const event = {
      kind: fault.kind,
      ...(fault.server !== undefined && { server: fault.server }),
      atMs: fault.atMs,
      fromMs: sinceStartMs(),
      toMs: null,
      cpus: fault.cpus,
      registrationsLost: null
    }
    events.push(event)
    await DEEDS[fault.kind](faults, fault, acting.signal)
    if (acting.signal.aborted) return
    const endsAll = fault.kind === 'kill' && fault.server === undefined
    // others go on where one of several is killed: what is lost with it is over at once
    if (fault.forMs !== null || (fault.kind === 'kill' && !endsAll)) event.toMs = sinceStartMs()
    const inTime = within(acting.signal, COUNT_AFTER_MS)
    const after = endsAll ? 0 : ends ? await registrationsOf(target.control, inTime) : null
    if (before !== null && after !== null) event.registrationsLost = Math.max(0, before - after)
  }

  const running = (async () => {
    for (const fault of plan.faults) if (!waiting.signal.aborted) await perform(fault)
  })().catch(error => {
    if (!acting.signal.aborted) trouble.raise(error)
  })
  return {
    excused() {
      const last = events.at(-1)
      return last !== undefined && sinceStartMs() < (last.toMs ?? Infinity) + plan.timeoutMs
    },
    over() {
      waiting.abort()
      return running
    },
    stop() {
      waiting.abort()
      acting.abort()
      return running
    }
  }
}

/** @param {Pick<Target, 'faults' | 'members'>} target @param {Fault} fault @returns {{ faults: FaultHandles }} */
const serverOf = ({ faults, members }, { server }) =>
  /** @type {{ faults: FaultHandles }} */ (
    server === undefined ? { faults } : (members?.[server - 1] ?? { faults })
  )

/** @type {Readonly<Record<Fault['kind'], (faults: FaultHandles, fault: Fault, signal: AbortSignal) => Promise<void>>>} */
const DEEDS = {
  async pause(faults, { forMs }, signal) {
    await faults.pause()
    await sleep(forMs ?? 0, signal)
    await faults.resume()
  },
  kill: faults => faults.kill(),
  async restart(faults, { forMs }, signal) {
    await faults.down()
    await sleep(forMs ?? 0, signal)
    if (!signal.aborted) await faults.up(signal)
  },
  async cpu({ limitCpus }, { cpus, forMs }, signal) {
    if (limitCpus === null) throw new Error('nothing limits the CPU of a process: use --server docker')
    await limitCpus(cpus)
    if (forMs === null) return
    await sleep(forMs, signal)
    await limitCpus(null)
  }
}

/** @param {number} ms @param {AbortSignal} signal - aborted: wait no longer */
async function sleep(ms, signal) {
  if (ms > 0 && !signal.aborted) await pause(Math.ceil(ms), undefined, { signal }).catch(() => {})
}

/** @param {Target['control']} control @param {AbortSignal} inTime @returns {Promise<number | null>} null: it did not say in time */
async function registrationsOf(control, inTime) {
  try {
    return (await control?.state(inTime))?.registrations ?? null
  } catch {
    return null
  }
}
