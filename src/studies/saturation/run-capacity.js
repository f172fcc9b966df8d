import { inTurn, runStudy } from '../study.js'
import { heldLoad } from './plan/load-plan.js'
import { serversFor } from './plan/network-load.js'
import { CAPACITY_DOCUMENT } from './result/saturation-document.js'
import { asEvidence, runSearch } from './run-search.js'
import { blameless, trialTurn } from './run-trial.js'
import { loadNames } from './view/load-names.js'

/** @typedef {import('./result/saturation-document.js').CapacityDocument} CapacityDocument */

/**
 * runCapacity runs what is left of a capacity: the rates of the network first, then the search for the rate that one server sustains,
 * which begins with what they showed.
 *
 * @param {CapacityDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runStudy>[1]} components
 */
export async function runCapacity(document, folder, components) {
  const { search, loads } = document
  const runLoads = inTurn(
    loads.map(load => trialTurn(load, { label: `${loadNames[load.name]}, ${load.perSecond}/s` })),
    // where nothing was measured yet, it is not the load that a run fails at
    (ended, load) => (loads.some(({ point }) => point !== null) ? null : blameless(load, ended))
  )
  await runStudy(
    {
      document,
      file: CAPACITY_DOCUMENT,
      folder,
      leavesUp: true,
      open: () => openLoads(document),
      conclude() {
        document.servers = serversOf(document)
      },
      async conduct(run) {
        await runLoads(run)
        await runSearch(search, { planAt: planner(document), before: asEvidence(loads) }, { run })
      }
    },
    components
  )
}

/** @param {CapacityDocument} document @returns {import('../../result/types.js').Reason | null} */
function openLoads({ loads }) {
  const open = loads.filter(({ status }) => status !== 'complete')
  if (open.length === 0) return null
  return {
    code: 'LOADS_FAILED',
    message: `${open.map(({ name }) => loadNames[name]).join(', ')} did not come to an end`
  }
}

/** @param {CapacityDocument} document @returns {(perSecond: number) => Readonly<import('../../plan/plan.js').Plan>} */
const planner = document => perSecond => {
  const [{ connections: size }] = document.loads
  return heldLoad('rendezvous', document.options, { perSecond, size, seconds: document.searchSeconds })
}

/** @param {CapacityDocument} document */
function serversOf({ load, search: { found } }) {
  const sustainable = found?.below?.perSecond
  return sustainable === undefined ? null : serversFor(load.peakPerSecond, sustainable)
}
