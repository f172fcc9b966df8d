import { heldLoad } from '../saturation/plan/load-plan.js'
import { serversFor } from '../saturation/plan/network-load.js'
import { runSearch } from '../saturation/run-search.js'
import { blameless, trialTurn } from '../saturation/run-trial.js'
import { inTurn, runStudy } from '../study.js'
import { CLUSTER_DOCUMENT } from './result/cluster-document.js'
import { judgeStage, seenIn } from './result/stage.js'
import { stageNames } from './view/stage-names.js'

/**
 * @typedef {import('./result/cluster-document.js').ClusterDocument} ClusterDocument
 * @typedef {import('./result/stage.js').Stage} Stage
 */

/**
 * runCluster runs what is left of `capacity --run`: the rates of the network, each held by all servers, or the search for the rate that they
 * sustain. They stay up from run to run, with what they hold.
 *
 * @param {ClusterDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runStudy>[1]} components
 */
export async function runCluster(document, folder, components) {
  const { stages, search } = document
  const runStages = inTurn(
    stages.map(stage => stageTurn(stage, stages)),
    // where nothing was measured yet, it is not the load that a run fails at
    (ended, stage) => (stages.some(({ point }) => point !== null) ? null : blameless(stage, ended))
  )
  await runStudy(
    {
      document,
      file: CLUSTER_DOCUMENT,
      folder,
      leavesUp: true,
      open: () => openStages(document),
      conclude() {
        document.clusters = clustersOf(document)
      },
      async conduct(run) {
        await runStages(run)
        if (search !== null) await runSearch(search, { planAt: planner(document) }, { run })
      }
    },
    components
  )
}

/** @param {Stage} stage @param {readonly Stage[]} stages @returns {import('../study.js').TurnOf} */
function stageTurn(stage, stages) {
  const turn = trialTurn(stage, { label: `${stageNames[stage.name]}, ${stage.perSecond}/s` })
  return {
    ...turn,
    async keep(ended, inside) {
      await turn.keep(ended, inside)
      const { status, result } = ended
      stage.seen =
        status === 'complete' && result !== null
          ? seenIn(/** @type {import('../../result/types.js').Result} */ (result))
          : null
      judgeStage(stage, stages)
    }
  }
}

/** @param {ClusterDocument} document @returns {import('../../result/types.js').Reason | null} */
function openStages({ stages }) {
  const open = stages.filter(({ status }) => status !== 'complete')
  if (open.length === 0) return null
  return {
    code: 'STAGES_FAILED',
    message: `${open.map(({ name }) => stageNames[name]).join(', ')} did not come to an end`
  }
}

/** @param {ClusterDocument} document @returns {(perSecond: number) => Readonly<import('../../plan/plan.js').Plan>} */
const planner =
  ({ options, connections: size, searchSeconds: seconds }) =>
  perSecond =>
    heldLoad('rendezvous', options, { perSecond, size, seconds })

/** @param {ClusterDocument} document */
function clustersOf({ load, search }) {
  const sustainable = search?.found?.below?.perSecond
  return sustainable === undefined ? null : serversFor(load.peakPerSecond, sustainable)
}
