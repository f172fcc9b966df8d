import { heldLoad } from '../plan/saturation/load-plan.js'
import { serversFor } from '../plan/saturation/network-load.js'
import { loadNames } from '../report/saturation/load-names.js'
import { writeCapacity } from '../result/saturation/saturation-document.js'
import { reasonOf } from './run-saturate.js'
import { asEvidence, runSearch } from './run-search.js'
import { etaOf, runTrial } from './run-trial.js'
import { TrialFailedError } from './trial-failed-error.js'

/**
 * @typedef {import('../result/saturation/saturation-document.js').CapacityDocument} CapacityDocument
 * @typedef {import('./run-trial.js').TrialComponents} TrialComponents
 */

/**
 * runCapacity runs what is left of a capacity: the rates of the network first, then the search for the rate that one server sustains,
 * which begins with what they showed.
 * Its document is kept up to date.
 *
 * @param {CapacityDocument} document - grows
 * @param {TrialComponents} components
 */
export async function runCapacity(document, components) {
  const { folder, signal, now } = components
  const save = () => writeCapacity(folder, document)
  Object.assign(document, { status: 'running', reason: null, finishedAt: null })
  await save()
  try {
    await runLoads(document, save, components)
    const parts = { planAt: planner(document), save, before: asEvidence(document.loads) }
    await runSearch(document.search, parts, components)
  } catch (error) {
    document.reason = reasonOf(error, signal)
  }
  document.servers = serversOf(document)
  document.reason ??= openLoads(document)
  document.status = document.reason === null ? 'complete' : 'partial'
  document.finishedAt = now().toISOString()
  await save()
}

/** @param {CapacityDocument} document @returns {import('../result/types.js').Reason | null} */
function openLoads({ loads }) {
  const open = loads.filter(({ status }) => status !== 'complete')
  if (open.length === 0) return null
  return {
    code: 'LOADS_FAILED',
    message: `${open.map(({ name }) => loadNames[name]).join(', ')} did not come to an end`
  }
}

/** @param {CapacityDocument} document @param {() => Promise<void>} save @param {TrialComponents} components */
async function runLoads({ loads }, save, components) {
  for (const [place, load] of loads.entries()) {
    if (load.status === 'complete') continue
    components.signal.throwIfAborted()
    const left = loads.slice(place)
    const about = {
      index: place + 1,
      total: loads.length,
      etaMs: etaOf(left, components),
      label: `${loadNames[load.name]}, ${load.perSecond}/s`
    }
    await runTrial(load, about, components)
    await save()
    components.signal.throwIfAborted()
    // where nothing was measured yet, it is not the load that a run fails at
    if (!loads.some(({ point }) => point !== null)) throw new TrialFailedError(load)
  }
}

/** @param {CapacityDocument} document @returns {(perSecond: number) => Readonly<import('../plan/plan.js').Plan>} */
const planner = document => perSecond => {
  const [{ connections: size }] = document.loads
  return heldLoad('rendezvous', document.options, { perSecond, size, seconds: document.searchSeconds })
}

/** @param {CapacityDocument} document */
function serversOf({ load, search: { found } }) {
  const sustainable = found?.below?.perSecond
  return sustainable === undefined ? null : serversFor(load.peakPerSecond, sustainable)
}
