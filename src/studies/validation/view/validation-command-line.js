import { present } from '../../../kit/lists.js'
import { PROGRAM } from '../../../kit/program.js'
import { planFlags, quoted } from '../../../plan/plan-flags.js'
import { GOSSIP } from '../../../scenarios/gossip/scenario.js'

/**
 * validationCommandLine makes a validation again.
 *
 * @param {import('../result/validation-document.js').ValidationDocument} document
 */
export function validationCommandLine({ runs: { real }, simulatedWith }) {
  const own = simulatedWith === null ? [] : [`--validateWith=${quoted(simulatedWith)}`]
  return [
    `${PROGRAM} gossip --validate`,
    `--validateSeeds ${real.length}`,
    ...own,
    ...withUsual(real[0].plan)
  ].join(' ')
}

/** What a validation has by default is not what a run has. @param {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} plan */
function withUsual(plan) {
  const flags = planFlags(GOSSIP, plan)
  const has = (/** @type {string} */ name) => flags.some(flag => flag.startsWith(`--${name} `))
  const { nodes, messages, ratePerSecond } = plan
  return present([
    ...flags,
    !has('nodes') && plan.topology.kind !== 'file' && `--nodes ${nodes}`,
    !has('messages') && messages !== null && `--messages ${messages}`,
    !has('rate') &&
      ratePerSecond !== null &&
      typeof plan.arrivals !== 'object' &&
      `--rate ${ratePerSecond}/s`,
    !has('topology') && '--topology barabasi-albert'
  ])
}
